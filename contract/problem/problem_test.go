package problem

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

func TestALocationIsThePartOfTheRequestAndThePathInIt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in             models.Part
		path, location string
	}{
		{models.InBody, "transaction_items[0].amount", "body.transaction_items[0].amount"},
		{models.InBody, "", "body"},
		{models.InBody, "[0].amount", "body[0].amount"},
		{models.InQuery, "page", "query.page"},
		{models.InQuery, "", "query"},
		{models.InHeader, "x-organization-id", "header.x-organization-id"},
	} {
		require.Equal(t, c.location, Location(c.in, c.path))
	}
}

func TestAnAnswerListsAtMostAHundredFaults(t *testing.T) {
	t.Parallel()
	for n, truncated := range map[int]bool{100: false, 101: true} {
		raw, err := ValidationFailed(make([]models.Fault, n)...).Body("", "")
		require.NoError(t, err)
		require.Equal(t, truncated, regexp.MustCompile(`"errors_truncated":true`).Match(raw))
		require.Len(t, regexp.MustCompile(`"location":"body"`).FindAll(raw, -1), 100)
	}
}

// An amendment overlaps its return by nature: what excludes it is another open one.
func TestWhichFilingExistsIsSaid(t *testing.T) {
	t.Parallel()
	of := func(field string) *Problem { return Of(&models.DuplicateError{Field: field, ExistingID: "file_1"}) }
	require.Equal(t, CodeDuplicateFiling, of("filing").Code)
	require.Empty(t, of("filing").Detail, "the words of the code")
	require.Equal(t, CodeDuplicateFiling, of("amendment").Code)
	require.Contains(t, of("amendment").Detail, "An amendment of this return is open")
}
