package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"levy/internal/secret"
	"levy/models"
	"levy/store"
)

type askKeyCmd struct {
	jsonFlag

	Key string `arg:"" help:"Id of the master key."`
}

// askedForKey is how many events were written, for programs.
type askedForKey struct {
	Asked int64 `json:"asked"`
}

// Run writes an event for each API key that only its holder can move to the newest master key.
func (c askKeyCmd) Run(p *program) error {
	s, err := p.openMigrated(needDatabase)
	if err != nil {
		return err
	}
	defer s.Close()
	asked, err := s.MasterKeys.Ask(p.ctx, staff(), c.Key)
	if err != nil {
		return fmt.Errorf("master key %s, after %d events: %w", c.Key, asked, err)
	}
	return tell(p, c.jsonFlag, func(p *program) (*askedForKey, error) {
		_, err := fmt.Fprintf(p.stdout, "Events %s written now: %d\n", models.EventKeyReplacementDue, asked)
		return &askedForKey{asked}, err
	})
}

type retireKeyCmd struct {
	jsonFlag

	Key  string `arg:"" help:"Id of the master key."`
	Lost bool   `help:"The key is lost. Say so also if something needs it: processes start without it, and what needs it cannot be read or used any more."`
}

// keyRetired is a master key that was retired, or that cannot be: what needs it, for programs.
type keyRetired struct {
	keyState

	Backups int64 `json:"backups_that_need_it"`
}

var (
	// errKeyNeeded is said of a key that cannot be retired.
	errKeyNeeded = errors.New("is still needed")
	// errKeyNotLost is said of a key that the command has.
	errKeyNotLost = errors.New("is not lost: it is in LEVY_MASTER_KEYS")
)

// Run retires a key that nothing needs, and says who needs it otherwise.
func (c retireKeyCmd) Run(p *program) error {
	return withAnyKeys(p, func(s *store.Store, ring *secret.Ring) error {
		if err := s.CheckMigrated(p.ctx); err != nil {
			return err
		}
		if c.Lost && slices.ContainsFunc(ring.Fingerprints(), func(k secret.Key) bool { return k.ID == c.Key }) {
			return fmt.Errorf("master key %s %w", c.Key, errKeyNotLost)
		}
		return tell(p, c.jsonFlag, func(p *program) (*keyRetired, error) { return c.retire(p, s) })
	})
}

func (c retireKeyCmd) retire(p *program, s *store.Store) (*keyRetired, error) {
	state, err := c.state(p, s)
	if err != nil {
		return nil, err
	}
	found := &keyRetired{keyState: state}
	if err := c.refusal(state); err != nil { // the background looks again for what needs the key
		return found, errors.Join(s.MasterKeys.LookAgain(p.ctx), err)
	}
	if err := s.MasterKeys.Retire(p.ctx, staff(), c.Key, c.Lost); err != nil {
		return nil, fmt.Errorf("master key %s: %w", c.Key, err)
	}
	now := time.Now().UTC()
	found.RetiredAt, found.Lost = &now, c.Lost
	if found.Backups, err = s.MasterKeys.BackupsThatNeed(p.ctx); err != nil {
		return found, err
	}
	return found, c.conclude(p, found)
}

func (c retireKeyCmd) state(p *program, s *store.Store) (keyState, error) {
	states, err := listKeysCmd{Key: c.Key, mustTell: !c.Lost, evenNewest: c.Lost}.states(p, s)
	if c.Lost && errors.Is(err, errUnknownMasterKey) {
		return keyState{ID: c.Key, Needs: []keyNeed{}}, nil
	}
	if err != nil {
		return keyState{}, err
	}
	return states[0], nil
}

// refusal returns why a key cannot be retired; nil if it can.
func (c retireKeyCmd) refusal(state keyState) error {
	if c.Lost {
		return nil
	}
	if state.Newest {
		return fmt.Errorf("master key %s is the newest: put another one in front first", c.Key)
	}
	var by []string
	for _, n := range state.Needs {
		by = append(by, n.inWords())
	}
	// guard: master keys: one that something needs is not retired
	if len(by) > 0 {
		return fmt.Errorf("master key %s %w by\n- %s\nlevy keys list %[1]s --csv names keys and codes with their holders", c.Key,
			errKeyNeeded, strings.Join(by, "\n- "))
	}
	return nil
}

// conclude says what to do with the key.
func (c retireKeyCmd) conclude(p *program, did *keyRetired) error {
	if c.Lost {
		_, err := fmt.Fprintf(p.stdout, "Master key %s counts as lost. What it protects cannot be read or used any more:\n", c.Key)
		for _, n := range did.Needs {
			fmt.Fprintf(p.stdout, "- %d %s\n", n.Count, needsInWords[n.Kind].what)
		}
		return err
	}
	fmt.Fprintf(p.stdout, "Master key %s is retired. Take it out of LEVY_MASTER_KEYS of all processes, and restart them.\n", c.Key)
	if did.Backups > 0 {
		fmt.Fprintf(p.stdout, "Backups that were taken before it was retired: %d. Each may need the key when it is restored: keep a "+
			"copy of the key for as long as you keep them, then destroy both.\n", did.Backups)
	}
	_, err := fmt.Fprintln(p.stdout, "Histories of runs that have ended and were encrypted with it can no longer be opened in the "+
		"Temporal UI.")
	return err
}
