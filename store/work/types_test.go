package work_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/work"
)

// The statement sorts records into the types of models, each of which it finds, and no others.
func TestTheTypesOfTheWorklistAreThoseOfTheModels(t *testing.T) {
	t.Parallel()
	literal := regexp.MustCompile(`(?:THEN|ELSE|SELECT)\s+'([A-Z_]+)'`)
	var found []string
	for part := range strings.SplitSeq(work.SelectExceptions, "\n\tUNION ALL\n") {
		kind, _, ok := strings.Cut(part, "organization_id,") // the first column is the type
		require.True(t, ok, part)
		types := literal.FindAllStringSubmatch(kind, -1)
		require.NotEmpty(t, types, part)
		for _, name := range types {
			found = append(found, name[1])
		}
	}
	slices.Sort(found)
	require.ElementsMatch(t, models.ExceptionTypes, slices.Compact(found))
}
