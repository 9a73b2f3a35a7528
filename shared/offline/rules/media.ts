/** R32: pictures and documents. */
import { marked } from "./marks.ts";
import {
  anything,
  type Check,
  type Fields,
  isObject,
  list,
  nullable,
  oneOf,
  refuse,
  string,
  stringOr,
  tagged,
} from "./shape.ts";

const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
const MAX_IMAGE_SIDE = 8000;

/** How a file of each kind begins. */
const PICTURES = {
  "image/jpeg": /^\xff\xd8\xff/,
  "image/png": /^\x89PNG/,
  "image/gif": /^GIF8/,
  "image/webp": /^RIFF.{4}WEBP/s,
};

const webAddress: Check = (value, path, terms) => {
  string(value, path, terms);
  if (!/^https?:\/\/\S/.test(String(value))) refuse(`${path}: Only HTTPS URLs are supported.`);
};
const elsewhere = { url: { url: webAddress }, file: { file_id: string } };

const picture: Check = (value, path, terms) => {
  string(value, path, terms);
  const data = String(value);
  if (!isBase64(data)) refuse(`${path}: The image data is not valid base64`);
  if (data.length > MAX_IMAGE_BYTES) {
    refuse(
      `${path.replace(/\.data$/, "")}: image exceeds 5 MB maximum: ${data.length} bytes > ${MAX_IMAGE_BYTES} bytes`,
    );
  }
  if (longerSide(beginning(data)) > MAX_IMAGE_SIDE) {
    refuse(`${path}: At least one of the image dimensions exceed max allowed size: ${MAX_IMAGE_SIDE} pixels`, {
      error_code: "image_dimensions_too_large",
      paths: [path],
      max_side_length_pixels: MAX_IMAGE_SIDE,
    });
  }
};

const imageSource = tagged({
  base64: { media_type: oneOf("image/jpeg", "image/png", "image/gif", "image/webp"), data: picture },
  ...elsewhere,
});

/** A picture's bytes are of the type that it names. */
const namedRightly: Check = (value, path, terms) => {
  imageSource(value, path, terms);
  if (!isObject(value) || value.type !== "base64") return;
  const start = beginning(String(value.data)).toString("latin1");
  const [type] = Object.entries(PICTURES).find(([, begins]) => begins.test(start)) ?? [];
  if (type === undefined) refuse("Could not process image");
  if (type !== value.media_type) {
    refuse(
      `${path}.base64.data: The image was specified using the ${String(value.media_type)} media type, ` +
        `but the image appears to be a ${type} image`,
    );
  }
};

const pdf: Check = (value, path, terms) => {
  string(value, path, terms);
  const data = String(value);
  if (!isBase64(data) || !Buffer.from(data.slice(0, 2048), "base64").includes("%PDF")) {
    refuse(`${path}: The PDF specified was not valid.`);
  }
};

/** With line breaks or without. */
const isBase64 = (data: string): boolean => /^[A-Za-z0-9+/]+={0,2}$/.test(data.replaceAll(/\s/g, ""));
const beginning = (data: string): Buffer => Buffer.from(data.slice(0, 64), "base64");

/** In pixels, from the header of a PNG; 0 for other files. */
function longerSide(header: Buffer): number {
  const isPng = header.length >= 24 && header.toString("latin1", 1, 4) === "PNG";
  return isPng ? Math.max(header.readUInt32BE(16), header.readUInt32BE(20)) : 0;
}

/** The fields of an image block and of a document block; `text`: those of a text block, which a document may hold. */
export function mediaFields(text: Fields): { image: Fields; document: Fields } {
  const image: Fields = { source: namedRightly, "transformations?": anything, ...marked };
  const documentSource = tagged({
    base64: { media_type: oneOf("application/pdf"), data: pdf },
    text: { media_type: oneOf("text/plain"), data: string },
    content: { content: stringOr(list(tagged({ text, image }))) },
    ...elsewhere,
  });
  return {
    image,
    document: {
      source: documentSource,
      "citations?": anything,
      "context?": nullable(string),
      "title?": nullable(string),
      ...marked,
    },
  };
}
