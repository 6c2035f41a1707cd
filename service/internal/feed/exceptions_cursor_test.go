package feed

import (
	"encoding/base64"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// A cursor has the place of its exception to the microsecond. A text that is none is refused and reaches no statement.
func TestTheCursorOfAnExceptionHasItsPlace(t *testing.T) {
	t.Parallel()
	e := models.Exception{Type: models.ExceptionImport, OrganizationID: "org_1", ObjectID: "impt_1", Code: "FAILED",
		Since: time.Date(2026, 3, 2, 9, 30, 0, 123456000, time.UTC)}
	place, err := placeOf(cursorOf(&e))
	require.NoError(t, err)
	require.Equal(t, models.ExceptionPlace{Since: e.Since, OrganizationID: "org_1", Type: models.ExceptionImport,
		ObjectID: "impt_1", Code: "FAILED"}, place)
	for _, text := range []string{
		"x", "!", base64.RawURLEncoding.EncodeToString([]byte(`{"Other":"x"}`)),
		base64.RawURLEncoding.EncodeToString([]byte(`{"Since":"2026-03-02T09:30:00Z","ObjectID":"\u0000"}`)),
		base64.RawURLEncoding.EncodeToString([]byte(`{"Since":"0001-01-01T00:00:00+23:00"}`)),
	} {
		_, err := placeOf(text)
		require.ErrorAs(t, err, new(*models.InvalidError), text)
	}
}
