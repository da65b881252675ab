/** Checks request bodies against the portal's OpenAPI document. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

interface Schema {
  $ref?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  type?: string;
}

interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> };
}

interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

let api: ApiDocument | null = null;
let routes: { path: RegExp; operations: Record<string, Operation> }[] = [];

function loadApi(): ApiDocument {
  if (api !== null) return api;
  const file = resolve(import.meta.dirname, '../../../shared/api/portal.openapi.json');
  api = JSON.parse(readFileSync(file, 'utf8')) as ApiDocument;
  routes = Object.entries(api.paths).map(([path, operations]) => ({
    path: new RegExp(`^${path.replaceAll(/{\w+}/g, '[^/]+')}$`),
    operations,
  }));
  return api;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the fields of a value that its schema does not have: `tests.0.name`. */
function listUnknownFields(value: unknown, schema: Schema, place = ''): string[] {
  const { schemas } = loadApi().components;
  const referredSchema = schema.$ref && schemas[schema.$ref.replace('#/components/schemas/', '')];
  if (referredSchema) return listUnknownFields(value, referredSchema, place);
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choices !== undefined) {
    const type = Array.isArray(value) ? 'array' : typeof value;
    const fittingChoices = choices.filter(
      (choice) => choice.$ref !== undefined || choice.type === type,
    );
    const [first, ...others] = fittingChoices.map((choice) =>
      listUnknownFields(value, choice, place),
    );
    return others.reduce((best, next) => (next.length < best.length ? next : best), first ?? []);
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      listUnknownFields(item, schema.items ?? {}, `${place}${index}.`),
    );
  }
  if (!isObject(value) || schema.type !== 'object') return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const more = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
    const property = schema.properties?.[name];
    if (property !== undefined) return listUnknownFields(part, property, `${place}${name}.`);
    if (schema.additionalProperties) return listUnknownFields(part, more, `${place}${name}.`);
    return [`${place}${name}`];
  });
}

/** Returns the fields of a request that the portal would ignore. */
export function listIgnoredFields(method: string, path: string, body: unknown): string[] {
  loadApi();
  const matchingRoutes = routes.filter((route) => route.path.test(path));
  const operation = matchingRoutes
    .map(({ operations }) => operations[method.toLowerCase()])
    .find(Boolean);
  const schema = operation?.requestBody?.content['application/json']?.schema;
  return schema === undefined ? [] : listUnknownFields(body, schema);
}
