package contract

import "strings"

// Origins say where the fields of an input come from: a column of a file, a field of a form, a member of another API. Keys
// are paths of the input, such as transaction_items[0].amount.
type Origins map[string]string

// Of returns the origin of a path, else of the nearest part of the input that contains it; empty for none.
func (o Origins) Of(path string) string {
	for path != "" {
		if origin, known := o[path]; known {
			return origin
		}
		path = path[:max(0, strings.LastIndexAny(path, ".["))]
	}
	return ""
}
