package migrations

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// Every file says what it does to a running service, and its statements are all that it has.
func TestEveryMigrationHasAKind(t *testing.T) {
	t.Parallel()
	files, err := Files(FS)
	require.NoError(t, err)
	kinds := map[Kind]int{}
	for _, f := range files {
		kinds[f.Kind]++
		content, err := fs.ReadFile(FS, f.Name)
		require.NoError(t, err)
		left := string(content)
		for _, statement := range f.Statements {
			before, after, found := strings.Cut(left, statement)
			require.True(t, found, "%s: %s", f.Name, statement)
			for line := range strings.SplitSeq(before, "\n") {
				require.True(t, strings.TrimSpace(line) == "" || strings.HasPrefix(line, "--"), "%s: %s", f.Name, line)
			}
			left = after
		}
		require.True(t, strings.TrimSpace(strings.ReplaceAll(left, "-- +goose StatementEnd", "")) == "" ||
			!strings.Contains(left, ";"), "%s: %s", f.Name, left)
	}
	require.Positive(t, kinds[Quick])
	require.Positive(t, kinds[Concurrent])
}

func TestAKindThatIsMissingOrWrongIsRefused(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"-- +goose Up\nSELECT 1;\n":                                                     "it does not say `-- levy: quick`",
		"-- +goose NO TRANSACTION\n-- +goose Up\nSELECT 1;\n":                           "it does not say `-- levy: concurrent`",
		"-- +goose Up\n-- levy: concurrent\nSELECT 1;\n":                                `it says "concurrent", and is quick`,
		"-- +goose Up\n-- levy: slow\nSELECT 1;\n":                                      `it says "slow", and is quick`,
		"-- +goose Up\n-- levy: background\nSELECT 1;\n":                                "it is background, and needs one statement",
		"-- +goose Up\n-- levy: background of a\nSELECT 1;\nSELECT 2;\n":                "it is background, and needs one statement",
		"-- +goose NO TRANSACTION\n-- +goose Up\n-- levy: background of a\nSELECT 1;\n": `it says "background", and is concurrent`,
		"-- +goose Up\n-- levy: background of a\nSELECT 1;\n":                           "",
		"-- +goose Up\n-- levy: quick\nSELECT 1;\n":                                     "",
		"-- +goose NO TRANSACTION\n-- +goose Up\n-- levy: concurrent\n\n":               "",
	} {
		_, err := Files(fstest.MapFS{"00270_try.sql": {Data: []byte(content)}})
		if want == "" {
			require.NoError(t, err, content)
			continue
		}
		require.ErrorContains(t, err, "migration 00270_try.sql: "+want, content)
	}
	_, err := Files(fstest.MapFS{"00269_try.sql": {Data: []byte("-- +goose Up\nSELECT 1;\n")}})
	require.NoError(t, err, "of earlier numbers")
}
