package store_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/store"
	"levy/store/pg"
	"levy/store/storetest"
)

// All tests of the store notice a database transaction that waits for an advisory lock while it holds one that comes
// later in the order. This holds for locks of statements and of triggers, and also after other locks were released.
func TestAdvisoryLocksAreTakenInOrder(t *testing.T) {
	t.Parallel()
	address := storetest.URL(t)
	_, err := storetest.SQL(t, address).Exec(t.Context(), `
		CREATE TABLE locked ();
		CREATE FUNCTION lock_plans() RETURNS trigger LANGUAGE plpgsql AS
		  $$ BEGIN PERFORM `+pg.LockPlans.Wait("'o'")+`; RETURN NEW; END $$;
		CREATE TRIGGER locks BEFORE INSERT ON locked FOR EACH ROW EXECUTE FUNCTION lock_plans()`)
	require.NoError(t, err)
	for name, run := range map[string]struct {
		statements []string
		faults     int
	}{
		"in order":         {[]string{pg.LockStages.Wait("'o'"), pg.LockRegistration.Wait("'r'"), pg.LockPlans.Wait("'o'")}, 0},
		"out of order":     {[]string{pg.LockRegistration.Wait("'r'"), pg.LockStages.Wait("'o'")}, 1},
		"behind a trial":   {[]string{pg.LockRegistration.TryShared("'r'"), pg.LockStages.Wait("'o'")}, 1},
		"tried":            {[]string{pg.LockRegistration.Wait("'r'"), pg.LockStages.TryShared("'o'")}, 0},
		"behind a trigger": {[]string{"(SELECT 1) FROM locked", pg.LockRegistration.Wait("'r'")}, 1},
		"of one key":       {[]string{pg.LockUploads.Wait("'o'"), pg.LockBatches.WaitShared("'o'")}, 1},
		"shared":           {[]string{pg.LockPlans.WaitShared("'o'"), pg.LockAdmins.WaitShared("'o'")}, 1},
	} {
		order := &storetest.LockOrder{}
		s := storetest.Open(t, store.Options{URL: address, Tracer: order, MaxConnections: 1})
		require.NoError(t, s.InTx(t.Context(), func(ctx context.Context) error {
			for _, lock := range run.statements {
				if strings.HasSuffix(lock, "locked") {
					if _, err := s.Exec(ctx, "INSERT INTO locked DEFAULT VALUES"); err != nil {
						return err
					}
				}
				if _, err := s.Exec(ctx, "SELECT "+lock); err != nil {
					return err
				}
			}
			return nil
		}))
		require.Len(t, order.Faults(), run.faults, "%s: %v", name, order.Faults())
		// The next database transaction of the connection has none of these locks.
		require.NoError(t, s.InTx(t.Context(), func(ctx context.Context) error {
			if _, err := s.Exec(ctx, "SELECT "+pg.LockAnswer.Try("1")); err != nil {
				return err
			}
			_, err := s.Exec(ctx, "SELECT "+pg.LockBatches.Wait("'o'"))
			return err
		}))
		require.Len(t, order.Faults(), run.faults, name)
	}
}

// No statement of the program has an advisory lock that is not in the register, and none of the migrations: their
// functions take locks, too.
func TestEveryAdvisoryLockIsInTheRegister(t *testing.T) {
	t.Parallel()
	keys := regexp.MustCompile(`advisory_(?:xact_)?lock(?:_shared)?\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)`)
	registered := func(key string) bool {
		return slices.ContainsFunc(pg.Locks(), func(l pg.Lock) bool {
			pattern := strings.ReplaceAll(regexp.QuoteMeta(l.Key("\x00")), "\x00", ".*")
			return l != pg.LockAnswer && regexp.MustCompile("^"+pattern+"$").MatchString(key)
		})
	}
	require.True(t, registered("10, hashtext(f.id)"))
	require.False(t, registered("99, hashtext(f.id)"))
	root, found := filepath.Join("..", "store"), 0
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, "pg/locks.go") ||
			strings.Contains(path, "storetest") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range keys.FindAllStringSubmatch(string(text), -1) {
			require.Truef(t, strings.HasSuffix(path, ".sql"), "%s has the lock %s itself", path, m[1])
			require.Truef(t, registered(m[1]), "%s has the lock %s", path, m[1])
			found++
		}
		return nil
	}))
	require.Positive(t, found)
}
