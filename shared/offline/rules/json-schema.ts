/**
 * R47 and its relatives: is this a JSON schema of draft 2020-12 that the API takes?
 * The keywords' own shapes only; a schema validator would take longer to load than all of the server.
 */
import { refuse } from "./shape.ts";
import { isObject } from "./shape.ts";

const TYPES = new Set(["null", "boolean", "object", "array", "number", "string", "integer"]);
const PROPERTY_KEY = /^[a-zA-Z0-9_.-]{1,64}$/;

/** Refuses a tool whose `input_schema` the API would refuse, or whose examples do not fit it. */
export function checkInputSchema(tool: Record<string, unknown>, schema: Record<string, unknown>, path: string): void {
  const at = `${path}.input_schema`;
  if (schema.type === undefined) refuse(`${at}.type: Field required`);
  if (schema.type !== "object") refuse(`${at}.type: Input should be 'object'`);
  if (["oneOf", "allOf", "anyOf"].some((key) => key in schema)) {
    refuse(`${at}: input_schema does not support oneOf, allOf, or anyOf at the top level`);
  }
  if (!isSchema(schema)) {
    refuse(
      `${at}: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). ` +
        "Learn more about tool use at https://docs.claude.com/en/docs/tool-use.",
    );
  }
  if (subschemas(schema).some(({ properties }) => Object.keys(isObject(properties) ? properties : {}).some(isOddKey))) {
    refuse(`${at}.properties: Property keys should match pattern '${PROPERTY_KEY.source}'`);
  }
  if (tool.strict === true) checkStrictSchema(schema, at);
  const examples = Array.isArray(tool.input_examples) ? tool.input_examples : [];
  examples.forEach((example, index) => {
    if (!fits(example, schema))
      refuse(`${path}.input_examples.${index}: Input example does not match the input schema`);
  });
}

/** R48: structured output is exact, so every object says that it has no other properties. */
export function checkStrictSchema(schema: unknown, path: string): void {
  for (const part of subschemas(schema)) {
    if (part.type === "object" && part.additionalProperties !== false) {
      refuse(`${path}: For 'object' type, 'additionalProperties' must be explicitly set to false`);
    }
  }
}

const isOddKey = (key: string): boolean => !PROPERTY_KEY.test(key);

const isString = (value: unknown): boolean => typeof value === "string";
const isNumber = (value: unknown): boolean => typeof value === "number";
const isBoolean = (value: unknown): boolean => typeof value === "boolean";
const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;
const isSchema = (value: unknown): boolean =>
  isBoolean(value) ||
  (isObject(value) && Object.entries(value).every(([key, part]) => KEYWORDS.get(key)?.(part) ?? true));
const isSchemaList = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && value.every(isSchema);
const isSchemaMap = (value: unknown): boolean => isObject(value) && Object.values(value).every(isSchema);
const isUniqueStrings = (value: unknown): boolean =>
  Array.isArray(value) && value.every(isString) && new Set(value).size === value.length;
const isType = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 && isUniqueStrings(value) && value.every(isType) : TYPES.has(String(value));

/** Each keyword with what may stand there; unknown keywords are allowed, as the draft says. */
const KEYWORDS = new Map([
  ...keywords("type", isType),
  ...keywords("required", isUniqueStrings),
  ...keywords("properties patternProperties dependentSchemas $defs definitions", isSchemaMap),
  ...keywords("additionalProperties propertyNames unevaluatedProperties unevaluatedItems", isSchema),
  ...keywords("items contains not if then else", isSchema),
  ...keywords("prefixItems anyOf oneOf allOf", isSchemaList),
  ...keywords("enum examples", Array.isArray),
  ...keywords("$ref $schema $id $comment title description format pattern", isString),
  ...keywords("minimum maximum exclusiveMinimum exclusiveMaximum", isNumber),
  ...keywords("multipleOf", (value) => isNumber(value) && Number(value) > 0),
  ...keywords("minLength maxLength minItems maxItems minProperties maxProperties", isCount),
  ...keywords("uniqueItems deprecated readOnly writeOnly", isBoolean),
]);

function keywords(names: string, check: (value: unknown) => boolean): [string, (value: unknown) => boolean][] {
  return names.split(" ").map((name) => [name, check]);
}

/** The schema and every object schema within. */
function subschemas(schema: unknown): Record<string, unknown>[] {
  if (!isObject(schema)) return [];
  const parts = Object.entries(schema).flatMap(([key, value]) => {
    const check = KEYWORDS.get(key);
    if (check === isSchema) return subschemas(value);
    if (check === isSchemaList && Array.isArray(value)) return value.flatMap(subschemas);
    return check === isSchemaMap && isObject(value) ? Object.values(value).flatMap(subschemas) : [];
  });
  return [schema, ...parts];
}

/** Whether a value has the types, the properties and the listed values of a schema; other keywords are passed over. */
export function fits(value: unknown, schema: unknown, root = schema): boolean {
  if (!isObject(schema)) return schema !== false;
  const each = (parts: unknown): boolean[] =>
    Array.isArray(parts) ? parts.map((part) => fits(value, part, root)) : [true];
  if (typeof schema.$ref === "string" && !fits(value, resolved(schema.$ref, root), root)) return false;
  if (!each(schema.anyOf).includes(true) || !each(schema.oneOf).includes(true) || each(schema.allOf).includes(false)) {
    return false;
  }
  const types = [schema.type ?? []].flat();
  if (types.length > 0 && !types.some((type) => hasType(value, type))) return false;
  const allowed = "const" in schema ? [schema.const] : schema.enum;
  if (Array.isArray(allowed) && !allowed.some((one) => JSON.stringify(one) === JSON.stringify(value))) return false;
  if (Array.isArray(value)) return value.every((item) => fits(item, schema.items, root));
  return !isObject(value) || hasProperties(value, schema, root);
}

function hasProperties(value: Record<string, unknown>, schema: Record<string, unknown>, root: unknown): boolean {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const properties = isObject(schema.properties) ? schema.properties : {};
  return (
    required.every((key) => Object.hasOwn(value, String(key))) &&
    Object.entries(value).every(([key, part]) =>
      fits(part, Object.hasOwn(properties, key) ? properties[key] : schema.additionalProperties, root),
    )
  );
}

/** What a reference within the schema stands for: `#/$defs/Name`. */
export function resolved(reference: string, root: unknown): unknown {
  const steps = reference.replace(/^#\/?/, "").split("/").filter(Boolean);
  return steps.reduce<unknown>((at, step) => (isObject(at) ? at[step] : undefined), root);
}

function hasType(value: unknown, type: unknown): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}
