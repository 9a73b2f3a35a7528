/** How a broken rule is reported, and a few checks of JSON that speak as the API speaks. */
import { type BetaThing, headersFor } from "./betas.ts";

/** An answer of the API that is not a 200. */
export class ApiError extends Error {
  readonly status: number;
  readonly type: string;
  readonly headers: Record<string, string>;
  readonly details: Record<string, unknown> | null;
  /** For people who look on; not a part of the answer. */
  readonly hint: string | undefined;

  constructor(
    status: number,
    type: string,
    message: string,
    {
      headers = {},
      details = null,
      hint,
    }: { headers?: Record<string, string>; details?: Record<string, unknown> | null; hint?: string } = {},
  ) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.type = type;
    this.headers = headers;
    this.details = details;
    this.hint = hint;
  }
}

/** Ends the request with a 400 `invalid_request_error`. */
export function refuse(message: string, details: Record<string, unknown> | null = null, hint?: string): never {
  throw new ApiError(400, "invalid_request_error", message, {
    headers: { "x-should-retry": "false" }, // R64
    details,
    ...(hint !== undefined && { hint }),
  });
}

// The checks are not zod's: its texts are its own, and loading it takes longer than all of the server.

/** What a request asks for with its headers. */
export interface Terms {
  /** Of the API. */
  version: string;
  /** Whether a beta header allows this field, block, tool or value. */
  allows: (thing: BetaThing) => boolean;
}

/** Refuses a value that is not right; `path` says where it stands. */
export type Check = (value: unknown, path: string, terms: Terms) => void;
/** The fields of an object; those whose name ends in `?` may be left out. */
export type Fields = Record<string, Check>;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export const anything: Check = () => {};

export const string: Check = (value, path) => {
  if (typeof value !== "string") refuse(`${path}: Input should be a valid string`);
};

export const boolean: Check = (value, path) => {
  if (typeof value !== "boolean") refuse(`${path}: Input should be a valid boolean`);
};

export const jsonObject: Check = (value, path) => {
  if (!isObject(value)) refuse(`${path}: Input should be an object`);
};

export const integer =
  (least: number): Check =>
  (value, path) => {
    if (!Number.isInteger(value)) refuse(`${path}: Input should be a valid integer`);
    if (Number(value) < least) refuse(`${path}: Input should be greater than or equal to ${least}`);
  };

export const number =
  (least: number, most: number): Check =>
  (value, path) => {
    if (typeof value !== "number") refuse(`${path}: Input should be a valid number`);
    if (value < least) refuse(`${path}: Input should be greater than or equal to ${least}`);
    if (value > most) refuse(`${path}: Input should be less than or equal to ${most}`);
  };

export const length =
  (least: number, most: number): Check =>
  (value, path, terms) => {
    if (typeof value !== "string") return string(value, path, terms);
    if (value.length < least) refuse(`${path}: String should have at least ${least} ${characters(least)}`);
    if (value.length > most) refuse(`${path}: String should have at most ${most} ${characters(most)}`);
  };

const characters = (count: number): string => (count === 1 ? "character" : "characters");

export const pattern =
  (source: string): Check =>
  (value, path, terms) => {
    if (typeof value !== "string") return string(value, path, terms);
    if (!new RegExp(source).test(value)) refuse(`${path}: String should match pattern '${source}'`);
  };

export const oneOf =
  (...values: [string, ...string[]]): Check =>
  (value, path) => {
    if (values.some((allowed) => allowed === value)) return;
    const quoted = values.map((allowed) => `'${allowed}'`);
    refuse(`${path}: Input should be ${[quoted.slice(0, -1).join(", "), quoted.at(-1)].filter(Boolean).join(" or ")}`);
  };

export const nullable =
  (check: Check): Check =>
  (value, path, terms) => {
    if (value !== null) check(value, path, terms);
  };

export const list =
  (each: Check): Check =>
  (value, path, terms) => {
    if (!Array.isArray(value)) refuse(`${path}: Input should be a valid list`);
    value.forEach((item, index) => each(item, `${path}.${index}`, terms));
  };

export const stringOr =
  (check: Check): Check =>
  (value, path, terms) => {
    if (typeof value !== "string") check(value, path, terms);
  };

/** An object with these fields and no other (R12). */
export const object =
  (fields: Fields): Check =>
  (value, path, terms) => {
    if (!isObject(value)) refuse(`${path || "body"}: Input should be an object`);
    for (const [name, check] of Object.entries(fields)) {
      const key = name.replace(/\?$/, "");
      if (Object.hasOwn(value, key)) check(value[key], inside(path, key), terms);
      else if (key === name) refuse(`${inside(path, key)}: Field required`);
    }
    for (const key of Object.keys(value)) {
      if (!Object.hasOwn(fields, key) && !Object.hasOwn(fields, `${key}?`)) {
        refuse(`${inside(path, key)}: Extra inputs are not permitted`);
      }
    }
  };

const inside = (path: string, key: string): string => (path ? `${path}.${key}` : key);

/** A field or a value that a beta header allows; without the header it is one that the API does not know (R12). */
export const beta =
  (thing: BetaThing, check: Check): Check =>
  (value, path, terms) => {
    if (!terms.allows(thing)) {
      refuse(`${path}: Extra inputs are not permitted`, null, `allowed with anthropic-beta: ${headersFor(thing)}`);
    }
    check(value, path, terms);
  };

/**
 * One of several objects, told apart by their `type`, which is a part of the path. `beta`: those that a header allows,
 * as a block, a tool or an edit. `whenAbsent`: the type of an object that names none.
 */
export const tagged = (
  variants: Record<string, Fields>,
  {
    beta: [kind, gated] = ["block", {}],
    whenAbsent,
  }: { beta?: [string, Record<string, Fields>]; whenAbsent?: string } = {},
): Check => {
  const shapes = new Map(
    Object.entries({ ...variants, ...gated }).map(([tag, fields]) => [
      tag,
      object({ [whenAbsent === tag ? "type?" : "type"]: anything, ...fields }),
    ]),
  );
  return (value, path, terms) => {
    if (!isObject(value)) refuse(`${path}: Input should be an object`);
    const tag = value.type ?? whenAbsent;
    if (typeof tag !== "string") refuse(`${path}: Unable to extract tag using discriminator 'type'`);
    const isOpen = (name: string): boolean => !Object.hasOwn(gated, name) || terms.allows(`${kind} ${name}`);
    const shape = shapes.get(tag);
    if (!shape || !isOpen(tag)) {
      const tags = [...shapes.keys()].filter(isOpen).toSorted();
      refuse(
        `${path}: Input tag '${tag}' found using 'type' does not match any of the expected tags: ` +
          tags.map((known) => `'${known}'`).join(", "),
        null,
        shape && `allowed with anthropic-beta: ${headersFor(`${kind} ${tag}`)}`,
      );
    }
    shape(value, `${path}.${tag}`, terms);
  };
};
