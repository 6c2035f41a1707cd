package web

import (
	"levy/contract"
	"strings"
)

// originsOf returns the origins of the request of a form.
func originsOf(fields []field) contract.Origins {
	o := contract.Origins{}
	for _, f := range fields {
		for _, path := range append([]string{f.path()}, f.Also...) {
			o[path] = f.Name
		}
	}
	return o
}

// fromForm replaces the parts of the request in a refusal by the fields of the form.
func (p *problem) fromForm(o contract.Origins) *problem {
	for i, e := range p.Errors {
		if name := o.Of(pathOf(e.Location)); name != "" {
			p.Errors[i].Location = "body." + name
		}
	}
	return p
}

// pathOf returns the path in a location of the API: "body.reason" has "reason".
func pathOf(location string) string {
	_, path, _ := strings.Cut(location, ".")
	return path
}

// lastOf returns the last name of a path: "addresses[0].city" has "city".
func lastOf(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// setAt sets a value in a body at a path: "shipping_address.city" is a member of an object.
func setAt(body map[string]any, path string, value any) {
	first, rest, nested := strings.Cut(path, ".")
	if !nested {
		body[path] = value
		return
	}
	inner, known := body[first].(map[string]any)
	if !known {
		inner = map[string]any{}
		body[first] = inner
	}
	setAt(inner, rest, value)
}
