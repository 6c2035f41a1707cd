package contract

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
)

// membersOf returns the JSON members of a struct by name, those of embedded structs too.
func membersOf(of reflect.Type) map[string]reflect.Type {
	members := map[string]reflect.Type{}
	for i := range of.NumField() {
		field := of.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous:
			for name, member := range membersOf(element(field.Type)) {
				members[name] = member
			}
		case field.IsExported() && name != "" && name != "-":
			members[name] = element(field.Type)
		}
	}
	return members
}

// element returns the type of what a pointer or list holds.
func element(of reflect.Type) reflect.Type {
	for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
		of = of.Elem()
	}
	return of
}

// missing lists the members of a type that another lacks, with their paths.
func missing(of, in reflect.Type, path string) (lacking []string) {
	answered := membersOf(in)
	for name, member := range membersOf(of) {
		at := path + "." + name
		other, ok := answered[name]
		switch {
		case !ok:
			lacking = append(lacking, at)
		case member.Kind() == reflect.Struct && other.Kind() == reflect.Struct && len(membersOf(member)) > 0:
			lacking = append(lacking, missing(member, other, at)...)
		}
	}
	return lacking
}

// An answer has every member of a stored explanation. `levy explain` repeats a calculation from the answer alone, and
// without one member it would be another calculation.
func TestAnExplanationIsAnsweredWhole(t *testing.T) {
	t.Parallel()
	of, in := reflect.TypeFor[tax.Explanation](), reflect.TypeFor[TransactionExplanation]()
	require.Empty(t, missing(of, in, "explanation"))
	require.Contains(t, missing(of, reflect.TypeFor[Transaction](), "explanation"), "explanation.input", "it finds some")
}
