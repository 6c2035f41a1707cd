package contract

import (
	"encoding/json"
	"net/url"
	"strings"
)

// EncodeQuery writes the parameters of a request that are set. A list becomes one value, separated by commas.
func EncodeQuery(params any) (string, error) {
	raw, err := Encode(params)
	if err != nil {
		return "", err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return "", err
	}
	values := url.Values{}
	for name, field := range fields {
		var list []string
		var text string
		switch {
		case json.Unmarshal(field, &list) == nil:
			if len(list) > 0 {
				values.Set(name, strings.Join(list, ","))
			}
		case json.Unmarshal(field, &text) == nil:
			values.Set(name, text)
		default:
			values.Set(name, string(field))
		}
	}
	return values.Encode(), nil
}
