// The settings of the generator: every request and every answer is parsed when the client runs.

// A file is a string to the parsers of this version, and a File to its types: the parsers are told.
const file = (context) => {
  const { $, schema, symbols } = context;
  if (schema.format === "binary") context.nodes.format = () => $(symbols.z).attr("instanceof").call("File");
};

export default {
  input: "openapi.json",
  output: { path: "source", importFileExtension: ".js" },
  logs: { level: "error", file: false },
  plugins: [
    "@hey-api/client-fetch",
    "@hey-api/typescript",
    { name: "zod", dates: { offset: true }, "~resolvers": { string: file } },
    { name: "@hey-api/sdk", validator: true },
  ],
};
