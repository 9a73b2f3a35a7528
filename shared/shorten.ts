/** A line of at most so many characters, with `…` where it was longer; no character is cut in two. */
export function shortened(line: string, length: number): string {
  if (line.length <= length) return line;
  const halfCharacter = /[\uD800-\uDBFF]$/;
  return `${line.slice(0, length - 1).replace(halfCharacter, "")}…`;
}
