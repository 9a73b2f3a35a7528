import ts from "typescript";
import { notWritten } from "./unwritten.ts";

/** A function that the reader is to write: it is marked `@exercise` in its docstring. */
export interface ExerciseFunction {
  name: string;
  /** What its docstring says after `@exercise`, as one line. */
  hint: string;
  /** The whole function as the chapter has it, with its docstring. */
  text: string;
  /** Where its body is in the code; that of an arrow function may be an expression. */
  body: { start: number; end: number };
}

/** The marked functions of a program, in its order: functions, methods, and constants that are functions. */
export function exerciseFunctions(code: string): ExerciseFunction[] {
  const file = ts.createSourceFile("code.ts", code, ts.ScriptTarget.ESNext, true);
  const found: ExerciseFunction[] = [];

  const visit = (node: ts.Node): void => {
    const tag = ts.getJSDocTags(node).find(({ tagName }) => tagName.text === "exercise");
    const marked = tag && functionIn(node);
    if (!marked) return ts.forEachChild(node, visit);
    found.push({
      name: marked.name.getText(),
      hint: (ts.getTextOfJSDocComment(tag.comment) ?? "").replaceAll(/\s+/g, " "),
      text: node.getFullText().trim(),
      body: { start: marked.body.getStart(), end: marked.body.end },
    });
  };
  visit(file);
  return found;
}

/** The name and the body of the function that a docstring in front of this node speaks of. */
function functionIn(node: ts.Node): { name: ts.Node; body: ts.Node } | undefined {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) {
    return node.name && node.body && { name: node.name, body: node.body };
  }
  const constant = ts.isVariableStatement(node) ? node.declarationList.declarations[0] : undefined;
  const value = constant?.initializer;
  if (!constant || !value || !(ts.isArrowFunction(value) || ts.isFunctionExpression(value))) return undefined;
  return { name: constant.name, body: value.body };
}

/** The code with these functions emptied: each only throws a sentence that sends the reader to its docstring. */
export function emptied(code: string, functions: ExerciseFunction[]): string {
  return functions.toReversed().reduce((rest, one) => {
    const [indent] = /^ */.exec(rest.slice(rest.lastIndexOf("\n", one.body.start) + 1)) ?? [""];
    const body = `{\n${indent}  throw new Error(${JSON.stringify(notWritten(one.name))});\n${indent}}`;
    return withBody(rest, one, body);
  }, code);
}

/** The code with another body, in braces, for one of its functions. */
export const withBody = (code: string, { body: { start, end } }: ExerciseFunction, body: string): string =>
  code.slice(0, start) + body + code.slice(end);
