package web

import "strings"

// origins say from which field of a form a part of a request came, by the path of that part.
type origins map[string]string

// originsOf returns where the parts of the request of a form come from.
func originsOf(fields []field) origins {
	o := origins{}
	for _, f := range fields {
		for _, path := range append([]string{f.path()}, f.Also...) {
			o[path] = f.Name
		}
	}
	return o
}

// of returns the field of a path, else that of the nearest part that contains it; empty for none. For example,
// enabled_events[1] comes from the field of enabled_events.
func (o origins) of(path string) string {
	for path != "" {
		if name, known := o[path]; known {
			return name
		}
		path = path[:max(strings.LastIndexAny(path, ".["), 0)]
	}
	return ""
}

// fromForm calls the parts of the request in a refusal as the form calls its fields.
func (p *problem) fromForm(o origins) *problem {
	for i, e := range p.Errors {
		if name := o.of(pathOf(e.Location)); name != "" {
			p.Errors[i].Location = "body." + name
		}
	}
	return p
}

// pathOf is the path of the part of a request that a location of the API names.
func pathOf(location string) string {
	_, path, _ := strings.Cut(location, ".")
	return path
}

// lastOf is the name of the part at the end of a path.
func lastOf(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// setAt puts a value into a body at a path of names that are parted by dots.
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
