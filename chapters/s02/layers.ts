/** Layers: how a mechanism gets around one of an agent's three functions, and nobody edits the function. */
import type { Agent as LoopAgent } from "s01-agent-loop";

type Step = "model" | "tool" | "turn";
type Input<S extends Step> = Parameters<LoopAgent[S]>[0];
type Output<S extends Step> = ReturnType<LoopAgent[S]>;

/** A layer around one of the three. It gets what the function is called with, and calls `next` when all is well. */
export interface Layer<S extends Step> {
  name: string;
  run: (input: Input<S>, next: (input: Input<S>) => Output<S>) => Output<S>;
}

/** The layers of each function from the inside out. The innermost is the function itself: it calls no next. */
export type Layers = { [S in Step]: Layer<S>[] };

/** Calls a function through its layers, the outermost first. A layer that is added meanwhile counts from the next call. */
export function callThrough<S extends Step>(layers: Layer<S>[], input: Input<S>): Output<S> {
  const inside = layers.slice(0, -1);
  const outermost = layers.at(-1);
  if (!outermost) throw new Error("the innermost layer has nothing inside that it could call");
  return outermost.run(input, (passedOn) => callThrough(inside, passedOn));
}

/**
 * Puts a layer around one of an agent's functions, and around all layers that are there.
 * @param outside the name of a layer: the new one stands right around it instead, inside all others
 */
export function wrap<S extends Step>(
  { layers }: { layers: Layers },
  step: S,
  name: string,
  run: Layer<S>["run"],
  outside = layers[step].at(-1)?.name,
): void {
  layers[step].splice(indexOf(layers, step, outside) + 1, 0, { name, run });
}

/** Takes a layer off again. */
export function unwrap({ layers }: { layers: Layers }, step: Step, name: string): void {
  layers[step].splice(indexOf(layers, step, name), 1);
}

function indexOf(layers: Layers, step: Step, name: string | undefined): number {
  const index = layers[step].findIndex((layer) => layer.name === name);
  if (index < 0)
    throw new Error(`no layer ${name} around ${step}; there are ${layers[step].map((layer) => layer.name).join(", ")}`);
  return index;
}
