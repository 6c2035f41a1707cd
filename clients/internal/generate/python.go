package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// keywords are the words of Python that no field of a class can have as its name.
var keywords = strings.Fields(`False None True and as assert async await break class continue def del elif else except finally
	for from global if import in is lambda nonlocal not or pass raise return try while with yield`)

const pythonHead = `# Code generated from the contract by clients/internal/generate. DO NOT EDIT.
`

// python writes types. An object that stands in a property has a type of its own, named after both. A schema of the contract
// with that name is the same object without null.
type python struct {
	types    map[string]*openapi3.Schema
	decimals map[string]map[string]string // by type and field: "" for a decimal, else the type of the field
}

// newPython collects the types of all schemas.
func (a *api) newPython() *python {
	p := &python{types: map[string]*openapi3.Schema{}, decimals: map[string]map[string]string{}}
	for name, schema := range a.doc.Components.Schemas {
		p.types[name] = schema.Value
	}
	for _, schema := range slices.Sorted(maps.Keys(a.doc.Components.Schemas)) {
		p.addInline(schema)
	}
	for p.spreadDecimals() {
	}
	return p
}

// addInline adds the objects that stand in the properties of a type.
func (p *python) addInline(owner string) {
	for field, property := range p.types[owner].Properties {
		inner, name := inlineObject(property), owner+upper(field)
		if inner == nil || p.types[name] != nil {
			continue
		}
		p.types[name] = inner
		p.addInline(name)
	}
}

// inlineObject returns the object that stands in a property, or in the list that stands there.
func inlineObject(ref *openapi3.SchemaRef) *openapi3.Schema {
	for ref.Ref == "" && ref.Value.Items != nil {
		ref = ref.Value.Items
	}
	if ref.Ref == "" && len(ref.Value.Properties) > 0 {
		return ref.Value
	}
	return nil
}

// target returns the type that a field leads to through lists and null. decimal says that it is a decimal. Maps hold texts,
// or values without a schema.
func (p *python) target(owner, field string, ref *openapi3.SchemaRef) (name string, decimal bool) {
	for {
		s := ref.Value
		switch {
		case isDecimal(s):
			return "", true
		case len(s.AllOf) == 1:
			ref = s.AllOf[0]
		case s.Items != nil:
			ref = s.Items
		case ref.Ref != "":
			return refName(ref), false
		case len(s.Properties) > 0:
			return owner + upper(field), false
		default:
			return "", false
		}
	}
}

// spreadDecimals notes fields that are or contain decimals. It reports whether it found a further one.
func (p *python) spreadDecimals() (found bool) {
	for name, s := range p.types {
		for field, property := range s.Properties {
			to, decimal := p.target(name, field, property)
			if !decimal && p.decimals[to] == nil {
				continue
			}
			if p.decimals[name] == nil {
				p.decimals[name] = map[string]string{}
			}
			if _, known := p.decimals[name][field]; !known {
				p.decimals[name][field], found = to, true
			}
		}
	}
	return found
}

// typeOf returns the type of a schema as Python writes it. The schema stands in a field of owner.
func (p *python) typeOf(owner, field string, ref *openapi3.SchemaRef) string {
	if ref.Ref != "" {
		return refName(ref)
	}
	s := ref.Value
	var text string
	switch {
	case len(s.AllOf) == 1:
		text = p.typeOf(owner, field, s.AllOf[0])
	case isDecimalInput(s):
		text = "DecimalInput"
	case isDecimal(s):
		text = "Decimal"
	case len(s.Enum) > 0 && s.Type.Is("string"):
		text = literal(s.Enum)
	case s.Format == "binary":
		text = "bytes"
	case s.Type.Is("string"):
		text = "str"
	case s.Type.Is("integer"):
		text = "int"
	case s.Type.Is("number"):
		text = "Decimal"
	case s.Type.Is("boolean"):
		text = "bool"
	case s.Type.Is("array"):
		text = "List[" + p.typeOf(owner, field, s.Items) + "]"
	case len(s.Properties) > 0:
		text = owner + upper(field)
	case s.AdditionalProperties.Schema != nil:
		text = "Dict[str, " + p.typeOf(owner, field, s.AdditionalProperties.Schema) + "]"
	default:
		text = "Dict[str, Any]"
	}
	if s.Nullable {
		text = "Optional[" + text + "]"
	}
	return text
}

func literal(values []any) string {
	var texts []string
	for _, value := range values {
		if text, ok := value.(string); ok {
			texts = append(texts, fmt.Sprintf("%q", text))
		}
	}
	return "Literal[" + strings.Join(texts, ", ") + "]"
}

func (a *api) pythonTypes() string {
	p := a.newPython()
	var b strings.Builder
	b.WriteString(pythonHead + `"""The records of the contract. Amounts, rates and quantities are Decimal."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Dict, List, Literal, NotRequired, Optional, TypedDict, Union

# An amount, a rate or a quantity that is sent. A float holds no cent exactly, and is refused.
DecimalInput = Union[Decimal, int, str]
`)
	names := slices.Sorted(maps.Keys(p.types))
	alias := func(name string) {
		s := p.types[name]
		fmt.Fprintf(&b, "\n# %s\n%s = %s\n", line(s.Description), name, p.typeOf(name, "", &openapi3.SchemaRef{Value: s}))
	}
	var lists []string
	for _, name := range names { // others refer to them when the module is loaded
		s := p.types[name]
		switch {
		case s.Type.Is("array"):
			lists = append(lists, name)
		case len(s.Properties) == 0:
			alias(name)
		}
	}
	for _, name := range names {
		if s := p.types[name]; len(s.Properties) > 0 {
			p.class(&b, name, s)
		}
	}
	for _, name := range lists {
		alias(name)
	}
	b.WriteString("\n# Fields of answers that are decimals, by the type they belong to: None, or the type in which there are some.\n" +
		"DECIMALS: Dict[str, Dict[str, Optional[str]]] = {\n")
	for _, name := range slices.Sorted(maps.Keys(p.decimals)) {
		fmt.Fprintf(&b, "    %q: {\n", name)
		for _, field := range slices.Sorted(maps.Keys(p.decimals[name])) {
			to := "None"
			if p.decimals[name][field] != "" {
				to = fmt.Sprintf("%q", p.decimals[name][field])
			}
			fmt.Fprintf(&b, "        %q: %s,\n", field, to)
		}
		b.WriteString("    },\n")
	}
	b.WriteString("}\n")
	return b.String()
}

// class writes a TypedDict: as a class, or as a call where a field has a name that a class cannot have.
func (p *python) class(b *strings.Builder, name string, s *openapi3.Schema) {
	fields := slices.Sorted(maps.Keys(s.Properties))
	odd := slices.ContainsFunc(fields, func(field string) bool { return slices.Contains(keywords, field) })
	if odd {
		fmt.Fprintf(b, "\n\n# %s\n%s = TypedDict(\n    %q,\n    {\n", line(s.Description), name, name)
	} else {
		fmt.Fprintf(b, "\n\nclass %s(TypedDict):\n", name)
		if s.Description != "" {
			fmt.Fprintf(b, "    \"\"\"%s\"\"\"\n\n", docstring(s.Description))
		}
	}
	for _, field := range fields {
		property := s.Properties[field]
		text := p.typeOf(name, field, property)
		if !slices.Contains(s.Required, field) {
			text = "NotRequired[" + text + "]"
		}
		description := line(property.Value.Description)
		if odd {
			if description != "" {
				fmt.Fprintf(b, "        # %s\n", description)
			}
			fmt.Fprintf(b, "        %q: %q,\n", field, text)
			continue
		}
		fmt.Fprintf(b, "    %s: %s\n", field, text)
		if description != "" {
			fmt.Fprintf(b, "    \"\"\"%s\"\"\"\n", docstring(description))
		}
	}
	if odd {
		b.WriteString("    },\n)\n")
	}
}

// docstring returns a text as it may stand in a docstring.
func docstring(text string) string {
	text = strings.ReplaceAll(line(text), `\`, `\\`)
	return strings.ReplaceAll(strings.TrimSuffix(text, `"`), `"""`, `'''`)
}

var words = regexp.MustCompile(`([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])`)

// snake returns the name of an operation as a method has it: createAPIKey becomes create_api_key.
func snake(id string) string {
	return strings.ToLower(words.ReplaceAllString(words.ReplaceAllString(id, "${1}${3}_${2}${4}"), "${1}${3}_${2}${4}"))
}

// parameter returns a parameter of a query as a method has it.
func (p *python) parameter(q *openapi3.Parameter) string {
	text := p.typeOf("", q.Name, q.Schema)
	if q.Schema.Value.Type.Is("array") {
		text = "Sequence[" + p.typeOf("", q.Name, q.Schema.Value.Items) + "]"
	}
	if q.Required {
		return fmt.Sprintf("%s: %s", q.Name, text)
	}
	return fmt.Sprintf("%s: Optional[%s] = None", q.Name, text)
}

func (a *api) pythonOperations() string {
	p := a.newPython()
	var b strings.Builder
	for _, op := range a.operations {
		p.method(&b, &op)
		if op.pagedBy != "" {
			p.iterator(&b, &op)
		}
	}
	return pythonHead + `"""The operations of the contract, one method each."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Literal, Optional, Sequence, cast

from . import types
from .transport import Transport


class Operations(Transport):
    """Calls of a Levy service. Client adds how to make one."""
` + b.String()
}

var typeNames = regexp.MustCompile(`\b[A-Z][A-Za-z0-9]+\b`)

// qualified puts the module in front of the names of the contract's types.
func (p *python) qualified(text string) string {
	return typeNames.ReplaceAllStringFunc(text, func(name string) string {
		if p.types[name] != nil || name == "DecimalInput" || name == "Decimal" {
			return "types." + name
		}
		return name
	})
}

// queried returns parameters of a query as arguments, and the dictionary that sends them.
func (p *python) queried(parameters []*openapi3.Parameter) (named []string, query string) {
	var entries []string
	for _, q := range parameters {
		named = append(named, p.qualified(p.parameter(q)))
		entries = append(entries, fmt.Sprintf("%q: %s", q.Name, q.Name))
	}
	return named, "{" + strings.Join(entries, ", ") + "}"
}

// signature returns the arguments of a method, each on a line: those with a place, then those with a name.
func signature(op *operation, placed, named []string) string {
	arguments := []string{"self"}
	for _, name := range op.pathNames {
		arguments = append(arguments, name+": str")
	}
	arguments = append(arguments, placed...)
	if len(named) > 0 {
		arguments = append(append(arguments, "*"), named...)
	}
	return strings.Join(arguments, ",\n        ")
}

func (p *python) method(b *strings.Builder, op *operation) {
	var placed []string
	sent := ""
	switch op.body {
	case bodyNone:
	case bodyJSON:
		text := p.qualified(p.typeOf("", "", op.bodySchema))
		if op.bodyOptional {
			text = "Optional[" + text + "] = None"
		}
		placed, sent = []string{"body: " + text}, ", json_body=body"
	case bodyCSV:
		placed, sent = []string{"content: bytes"}, ", csv=content"
	case bodyForm:
		placed, sent = []string{"filename: str", "content: bytes"}, ", file=(filename, content)"
	}
	named, query := p.queried(op.query)
	if op.keyed {
		named, sent = append(named, "idempotency_key: Optional[str] = None"), sent+", key=idempotency_key"
	}
	if len(op.query) > 0 {
		sent += ", query=" + query
	}
	if op.keyed {
		sent += ", keyed=True"
	}
	if op.repeatable {
		sent += ", repeatable=True"
	}
	result, read := "None", ""
	switch op.answer {
	case answerNone:
	case answerJSON:
		result = p.qualified(p.typeOf("", "", op.answerSchema))
		to, _ := p.target("", "", op.answerSchema)
		read = fmt.Sprintf(", answer=%q", to)
	case answerFile:
		result = "bytes"
	}
	path := fmt.Sprintf("%q", op.path)
	if len(op.pathNames) > 0 {
		path = fmt.Sprintf("self._path(%q, %s)", op.path, strings.Join(op.pathNames, ", "))
	}
	fmt.Fprintf(b, "\n    def %s(\n        %s,\n    ) -> %s:\n        \"\"\"%s (%s %s).\"\"\"\n", snake(op.id),
		signature(op, placed, named), result, docstring(op.summary), op.method, op.path)
	call := fmt.Sprintf("(%q, %s%s%s)", op.method, path, sent, read)
	switch op.answer {
	case answerNone:
		fmt.Fprintf(b, "        self._call%s\n", call)
	case answerJSON:
		fmt.Fprintf(b, "        return cast(%q, self._call%s)\n", result, call)
	case answerFile:
		fmt.Fprintf(b, "        return self._download%s\n", call)
	}
}

// iterator writes the method that reads all rows of a list.
func (p *python) iterator(b *strings.Builder, op *operation) {
	named, query := p.queried(op.iterated())
	fmt.Fprintf(b, "\n    def each_%s(\n        %s,\n    ) -> Iterator[%s]:\n        \"\"\"%s, row by row (%s).\"\"\"\n"+
		"        return self._each(%q, self.%s, [%s], %s)\n", strings.TrimPrefix(snake(op.id), "list_"),
		signature(op, nil, named), p.qualified(p.typeOf("", "", op.item)), docstring(op.summary), snake(op.id),
		op.pagedBy, snake(op.id), strings.Join(op.pathNames, ", "), query)
}
