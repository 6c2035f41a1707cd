package contract_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/contract/validate"
)

// Encoding a request of Go must not leave out a zero that is meant. Otherwise the default, the stored value or a fault
// would replace it. Such fields are pointers, or of a type that knows whether it was set.
func TestZeroValuesOfRequestsAreEncoded(t *testing.T) {
	t.Parallel()
	document, err := validate.ReadDocument(contract.JSON)
	require.NoError(t, err)
	requests := requestTypes()
	w := &zeroWalk{t: t, seen: map[reflect.Type]bool{}}
	for path, item := range document.Paths {
		for method, spec := range item.Operations() {
			request, ok := requests[strings.ToLower(spec.ID)]
			if !ok {
				continue // of another path
			}
			if body, ok := request.FieldByName("Body"); ok {
				w.schema(method+" "+path, spec.RequestBody.Content["application/json"].Schema, body.Type)
			}
			if params, ok := request.FieldByName("Params"); ok {
				for _, p := range slices.Concat(item.Parameters, spec.Parameters) {
					if p.In == "query" {
						w.field(method+" "+path, p.Name, p.Schema, params.Type, "form", nil)
					}
				}
			}
		}
	}
	require.Greater(t, w.fields, 600)
}

// requestTypes are the types of requests by the operation in lower case.
func requestTypes() map[string]reflect.Type {
	requests, operations := map[string]reflect.Type{}, reflect.TypeFor[contract.Operations]()
	for i := range operations.NumMethod() {
		m := operations.Method(i)
		requests[strings.ToLower(m.Name)] = m.Type.In(1)
	}
	return requests
}

type zeroWalk struct {
	t      *testing.T
	seen   map[reflect.Type]bool
	fields int
}

func (w *zeroWalk) schema(at string, s *validate.Schema, goType reflect.Type) {
	for goType.Kind() == reflect.Pointer || goType.Kind() == reflect.Slice && goType != reflect.TypeFor[jsontext.Value]() {
		goType = goType.Elem()
		if s.Items != nil {
			s = s.Items
		}
	}
	if goType.Kind() != reflect.Struct || len(s.Properties) == 0 || w.seen[goType] {
		return
	}
	w.seen[goType] = true
	for name, property := range s.Properties {
		w.field(at, name, property, goType, "json", s)
	}
}

func (w *zeroWalk) field(at, name string, s *validate.Schema, of reflect.Type, tag string, object *validate.Schema) {
	w.fields++
	for _, field := range reflect.VisibleFields(of) {
		member, options, _ := strings.Cut(field.Tag.Get(tag), ",")
		if member != name {
			continue
		}
		if strings.Contains(options, "omit") && loses(name, s, field.Type, object) {
			w.t.Errorf("%s: %s.%s is not encoded when it is zero, which means something", at, of, field.Name)
		}
		w.schema(at, s, field.Type)
	}
}

// loses reports whether a number or a bool that is left out when it is zero loses a value. An empty text,
// an empty list and a zero time have no value in Go either.
func loses(name string, s *validate.Schema, of reflect.Type, object *validate.Schema) bool {
	if of.Kind() != reflect.Int && of.Kind() != reflect.Int64 && of.Kind() != reflect.Bool && of != reflect.TypeFor[decimal.Decimal]() {
		return false
	}
	changed := s.Default != nil && !reflect.ValueOf(s.Default).IsZero() && s.Default != "0"
	return zeroAllowed(s) && (changed || object != nil && hasRule(object, name))
}

// hasRule reports whether a rule of an object depends on the presence of a field.
func hasRule(object *validate.Schema, name string) bool {
	for _, r := range object.Rules {
		if (r.Kind == "required" || r.Kind == "exclusive") && slices.Contains(r.Fields, name) {
			return true
		}
	}
	return false
}

// zeroAllowed reports whether a number may be zero.
func zeroAllowed(s *validate.Schema) bool {
	return s.NotBefore == "" && (s.Minimum == nil || *s.Minimum <= 0)
}

// A field of a change that is set to null is encoded as null, which clears it.
func TestNullsOfRequestsAreEncoded(t *testing.T) {
	t.Parallel()
	nulls := 0
	for operation, request := range requestTypes() {
		body, ok := request.FieldByName("Body")
		if !ok || body.Type.Kind() != reflect.Struct {
			continue
		}
		for _, field := range reflect.VisibleFields(body.Type) {
			if !strings.HasPrefix(field.Type.Name(), "Nullable[") {
				continue
			}
			null := reflect.MakeMap(field.Type)
			null.SetMapIndex(reflect.ValueOf(false), reflect.Zero(field.Type.Elem()))
			value := reflect.New(body.Type)
			value.Elem().FieldByIndex(field.Index).Set(null)
			raw, err := contract.EncodeRequest(value.Interface())
			require.NoError(t, err)
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			require.Contains(t, string(raw), `"`+name+`":null`, operation)
			nulls++
		}
	}
	require.Greater(t, nulls, 100)
}
