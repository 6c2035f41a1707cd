package temporal

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

// A temporal program with a database that a cancelled call can stop for good is not used. The message names its
// version.
func TestATemporalProgramThatCancelledCallsStopIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		module  debug.Module
		refused string
	}{
		{"before the correction", debug.Module{Path: sqliteModule, Version: "v1.34.1"}, "v1.34.1"},
		{"the last version before it", debug.Module{Path: sqliteModule, Version: "v1.43.0"}, "v1.43.0"},
		{"replaced by an older one", debug.Module{
			Path: sqliteModule, Version: sqliteVersion, Replace: &debug.Module{Path: sqliteModule, Version: "v1.39.1"},
		}, "v1.39.1"},
		{"the version that is built", debug.Module{Path: sqliteModule, Version: sqliteVersion}, ""},
		{"a later one", debug.Module{Path: sqliteModule, Version: "v2.0.1"}, ""},
		{"a version without numbers", debug.Module{Path: sqliteModule, Version: "(devel)"}, ""},
		{"another module", debug.Module{Path: "modernc.org/libc", Version: "v1.1.0"}, ""},
	} {
		err := suitableSQLite(&debug.BuildInfo{Deps: []*debug.Module{&c.module}})
		if c.refused == "" {
			require.NoError(t, err, c.name)
			continue
		}
		require.ErrorContains(t, err, c.refused, c.name)
	}
}

// A program that was built with other modules has another name, so that it is not taken for this one.
func TestTheNameOfABuiltProgramNamesTheModulesThatWereReplaced(t *testing.T) {
	t.Parallel()
	require.Contains(t, temporalBuild.file(), "temporal-"+temporalVersion+"-sqlite-"+sqliteVersion+"-")
	require.Contains(t, temporalServerBuild.file(), "temporal-server-"+temporalServerVersion+"-")
}
