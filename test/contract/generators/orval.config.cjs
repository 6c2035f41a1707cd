// Clients as the generator makes them unless told otherwise, and those of the platform's own fetch.
const input = "openapi.json";
module.exports = {
  axios: { input, output: { target: "clients/axios.ts" } },
  fetch: { input, output: { target: "clients/fetch.ts", client: "fetch" } },
};
