/** Values that fit a JSON schema, as far as such schemas are used for tools. */

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The objects of a list; nothing when it is no list. */
export function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** The fields of an object schema, and which of them it demands. */
export function fieldsOf(schema: unknown): { properties: Record<string, unknown>; required: string[] } {
  const { properties, required } = isRecord(schema) ? schema : {};
  return {
    properties: isRecord(properties) ? properties : {},
    required: Array.isArray(required) ? required.map(String) : [],
  };
}

const DEEPEST = 20;

/**
 * The least value that fits a schema.
 * @param text what free texts say
 */
export function fitting(schema: unknown, text = "none", root: unknown = schema, depth = 0): unknown {
  if (!isRecord(schema) || depth > DEEPEST) return null;
  if ("const" in schema) return schema.const;
  if ("default" in schema) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const inner = (part: unknown): unknown => fitting(part, text, root, depth + 1);
  if (typeof schema.$ref === "string") return inner(resolve(root, schema.$ref));
  const choice = [schema.anyOf, schema.oneOf, schema.allOf].flatMap(records)[0];
  if (choice && schema.type === undefined) return inner(choice);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case "string": {
      const format = FORMATS[String(schema.format)];
      return format ?? text.slice(0, numberOf(schema.maxLength, Infinity)).padEnd(numberOf(schema.minLength, 0), ".");
    }
    case "integer":
    case "number":
      return numberOf(schema.minimum, numberOf(schema.exclusiveMinimum, -1) + 1);
    case "boolean":
      return false;
    case "array":
      return Array.from({ length: Math.min(100, numberOf(schema.minItems, 0)) }, () => inner(schema.items));
    case "null":
      return null;
    default: {
      const { properties, required } = fieldsOf(schema);
      return Object.fromEntries(required.map((name) => [name, inner(properties[name])]));
    }
  }
}

const FORMATS: Record<string, string | undefined> = {
  date: "2026-01-01",
  "date-time": "2026-01-01T00:00:00Z",
  email: "someone@example.com",
  uri: "https://example.com/",
  uuid: "00000000-0000-4000-8000-000000000000",
};

const numberOf = (value: unknown, otherwise: number): number => (typeof value === "number" ? value : otherwise);

/** What `#/$defs/Name` points at. */
function resolve(root: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .reduce<unknown>((place, key) => (isRecord(place) ? place[key] : undefined), root);
}
