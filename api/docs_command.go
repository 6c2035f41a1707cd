package api

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// bodyOf is the form of a body: JSON, a form with a file, or a file.
func bodyOf(op *openapi3.Operation) *openapi3.MediaType {
	content := op.RequestBody.Value.Content
	for _, kind := range []string{"application/json", "multipart/form-data"} {
		if media := content[kind]; media != nil {
			return media
		}
	}
	return content["text/csv"]
}

// command is the call as a line for a shell.
func command(path, method string, op *openapi3.Operation) string {
	var b strings.Builder
	b.WriteString("curl")
	if method != http.MethodGet {
		b.WriteString(" -X " + method)
	}
	b.WriteString(` "$LEVY_URL` + path + `"`)
	if op.Security == nil {
		b.WriteString(" \\\n  -H \"X-API-KEY: $LEVY_KEY\" \\\n  -H \"x-organization-id: $LEVY_ORGANIZATION\"")
	}
	if op.RequestBody == nil {
		return b.String()
	}
	if op.RequestBody.Value.Content["text/csv"] != nil {
		return b.String() + " \\\n  -H \"Content-Type: text/csv\" --data-binary @transactions.csv"
	}
	if op.RequestBody.Value.Content["application/json"] == nil {
		b.WriteString(" \\\n  -F \"" + fileField + "=@certificate.pdf\"")
	}
	for _, example := range bodyOf(op).Examples {
		b.WriteString(" \\\n  -H \"Content-Type: application/json\" \\\n  -d '" + indented(example.Value.Value) + "'")
		break
	}
	return b.String()
}

func indented(value any) string {
	raw, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return ""
	}
	return string(raw)
}
