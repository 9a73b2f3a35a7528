/** R60: the mark up to which a prompt is cached. */
import { type Fields, nullable, object, oneOf } from "./shape.ts";

export const cacheControl = nullable(object({ type: oneOf("ephemeral"), "ttl?": oneOf("5m", "1h") }));

/** For everything that may bear one. */
export const marked: Fields = { "cache_control?": cacheControl };
