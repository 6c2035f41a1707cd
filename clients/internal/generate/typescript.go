package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

const typescriptHead = `// Code generated from the contract by clients/internal/generate. DO NOT EDIT.
import type { components, operations } from "./schema.gen.js";
import { Transport } from "./transport.js";
import type { CallOptions, FileContent } from "./transport.js";

/** The records of the contract, by name. Amounts, rates and quantities are decimal strings. */
export type Schemas = components["schemas"];

/** The parameters of an operation. */
export type Query<Name extends keyof operations> = NonNullable<operations[Name]["parameters"]["query"]>;

/** The operations of the contract, one method each. */
export class Operations extends Transport {
`

// typescript returns the methods of the client. Their types are those that openapi-typescript makes.
func (a *api) typescript() string {
	var b strings.Builder
	b.WriteString(typescriptHead)
	for _, op := range a.operations {
		typescriptMethod(&b, &op)
		if op.pagedBy != "" {
			typescriptIterator(&b, &op)
		}
	}
	b.WriteString("}\n")
	return b.String()
}

// template returns the path of an operation as an expression.
func (op *operation) template() string {
	path := op.path
	for _, name := range op.pathNames {
		path = strings.Replace(path, "{"+name+"}", "${encodeURIComponent("+name+")}", 1)
	}
	return "`" + path + "`"
}

// queryNeeded reports whether a parameter of the query has to be given.
func (op *operation) queryNeeded() bool {
	return slices.ContainsFunc(op.query, func(q *openapi3.Parameter) bool { return q.Required })
}

func typescriptMethod(b *strings.Builder, op *operation) {
	var arguments []string
	fields := []string{fmt.Sprintf("method: %q", op.method), "path: " + op.template()}
	for _, name := range op.pathNames {
		arguments = append(arguments, name+": string")
	}
	switch op.body {
	case bodyNone:
	case bodyJSON:
		optional := ""
		if op.bodyOptional && len(op.query) == 0 {
			optional = "?"
		}
		arguments, fields = append(arguments, fmt.Sprintf("body%s: Schemas[%q]", optional, refName(op.bodySchema))), append(fields, "json: body")
	case bodyCSV:
		arguments, fields = append(arguments, "content: FileContent"), append(fields, "csv: content")
	case bodyForm:
		arguments, fields = append(arguments, "filename: string", "content: FileContent"), append(fields, "file: { filename, content }")
	}
	if len(op.query) > 0 {
		initial := " = {}"
		if op.queryNeeded() {
			initial = ""
		}
		arguments, fields = append(arguments, fmt.Sprintf("query: Query<%q>%s", op.id, initial)), append(fields, "query")
	}
	arguments, fields = append(arguments, "options: CallOptions = {}"), append(fields, "options")
	if op.keyed {
		fields = append(fields, "keyed: true")
	}
	if op.repeatable {
		fields = append(fields, "repeatable: true")
	}
	result, call := "void", "call"
	switch op.answer {
	case answerNone:
	case answerJSON:
		result = fmt.Sprintf("Schemas[%q]", refName(op.answerSchema))
	case answerFile:
		result, call = "Blob", "download"
	}
	fmt.Fprintf(b, "  /** %s (%s %s). */\n  %s(%s): Promise<%s> {\n    return this.%s({ %s });\n  }\n\n", comment(op.summary),
		op.method, op.path, op.id, strings.Join(arguments, ", "), result, call, strings.Join(fields, ", "))
}

// typescriptIterator writes the method that reads all rows of a list.
func typescriptIterator(b *strings.Builder, op *operation) {
	var arguments []string
	for _, name := range op.pathNames {
		arguments = append(arguments, name+": string")
	}
	list := append(slices.Clone(op.pathNames), "{ ...query, ...place }", "options")
	var begun string
	if op.pagedBy == "after" {
		begun = ", query.after"
	}
	fmt.Fprintf(b, "  /** %s, row by row (%s). */\n  each%s(%s): AsyncGenerator<Schemas[%q]> {\n"+
		"    return this.each(%q, (place) => this.%s(%s)%s);\n  }\n\n", comment(op.summary), op.id, strings.TrimPrefix(op.id, "list"),
		strings.Join(append(arguments, fmt.Sprintf("query: Omit<Query<%q>, \"page\" | \"offset\"> = {}", op.id),
			"options: CallOptions = {}"), ", "), refName(op.item), op.pagedBy, op.id, strings.Join(list, ", "), begun)
}

// comment returns a text as it may stand in a comment.
func comment(text string) string { return strings.ReplaceAll(line(text), "*/", "* /") }
