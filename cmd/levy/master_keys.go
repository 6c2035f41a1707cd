package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"text/tabwriter"
	"time"

	"go.temporal.io/api/workflowservice/v1"
	sdkclient "go.temporal.io/sdk/client"

	"levy/internal/csvfile"
	"levy/models"
	"levy/store"
	"levy/store/masterkeys"
)

type listKeysCmd struct {
	jsonFlag

	Key string `arg:"" optional:"" help:"Only this master key."`
	CSV bool   `name:"csv" help:"Print as CSV the API keys, operator keys and recovery codes that only their holders can move to the newest master key."`

	mustTell   bool // fails if something cannot be told
	evenNewest bool // says what needs each key, also the newest and retired ones
}

// keyState is a master key with what needs it.
type keyState struct {
	ID        string        `json:"id"`
	Newest    bool          `json:"newest"`
	Since     *time.Time    `json:"current_since"`
	InFrontAt *time.Time    `json:"in_front_at"`
	RetiredAt *time.Time    `json:"retired_at"`
	Lost      bool          `json:"lost"`
	Behind    bool          `json:"behind"` // it was put behind the newest one, and nothing that is held needs it
	Needs     []keyNeed     `json:"needed_by"`
	Holders   []keyOfHolder `json:"holders,omitempty"`
}

type keyNeed struct {
	Kind  models.MasterKeyNeedKind `json:"kind"`
	Count int64                    `json:"count"`
	Until *time.Time               `json:"until,omitempty"`
}

type keyOfHolder struct {
	Kind             models.MasterKeyNeedKind `json:"kind"`
	OrganizationID   string                   `json:"organization_id,omitempty"`
	OrganizationName string                   `json:"organization_name,omitempty"`
	ID               string                   `json:"id"`
	Name             string                   `json:"name,omitempty"`
	LastUsedAt       *time.Time               `json:"last_used_at"`
	ExpiresAt        *time.Time               `json:"expires_at"`
	Known            bool                     `json:"master_key_known"`
}

// Run prints the master keys and what needs each. It needs no master keys itself, so it also works where one is missing.
func (c listKeysCmd) Run(p *program) error {
	s, err := p.openMigrated(needDatabase)
	if err != nil {
		return err
	}
	defer s.Close()
	if c.CSV {
		found, err := s.MasterKeys.Holders(p.ctx, c.Key)
		if err != nil {
			return err
		}
		return printHolders(p.stdout, found)
	}
	return tell(p, c.jsonFlag, func(p *program) (*keyStates, error) {
		states, err := c.states(p, s)
		if err != nil {
			return nil, err
		}
		found := keyStates{states}
		if err := printKeyStates(p.stdout, states); err != nil {
			return nil, err
		}
		return &found, found.unknown()
	})
}

// keyStates are master keys, for programs.
type keyStates struct {
	Keys []keyState `json:"master_keys"`
}

// errRunsUnknown says that Temporal did not tell which runs need a master key.
var errRunsUnknown = errors.New("which runs in Temporal need a master key is not known")

// unknown returns errRunsUnknown if it is not known of a key which runs need it.
func (k keyStates) unknown() error {
	for _, key := range k.Keys {
		if slices.ContainsFunc(key.Needs, func(n keyNeed) bool { return n.Kind == models.NeedRunsUnknown }) {
			return errRunsUnknown
		}
	}
	return nil
}

func (c listKeysCmd) states(p *program, s *store.Store) ([]keyState, error) {
	all, err := s.MasterKeys.List(p.ctx)
	if err != nil {
		return nil, err
	}
	temporal, err := c.dial(p)
	if err != nil {
		return nil, err
	}
	if temporal != nil {
		defer temporal.Close()
	}
	states := []keyState{}
	for i := range all {
		k := &all[i]
		if c.Key != "" && k.ID != c.Key {
			continue
		}
		state := keyState{ID: k.ID, Newest: k.Newest, Since: k.CurrentSince, InFrontAt: k.InFrontAt, RetiredAt: k.RetiredAt, Lost: k.Lost}
		state.Needs = []keyNeed{}
		var needs []models.MasterKeyNeed
		if c.evenNewest || isOld(k) && c.mustTell {
			needs, err = needsOf(p.ctx, s, temporal, k)
		} else {
			needs, state.Behind, err = needsOfOld(p.ctx, s, temporal, k, all)
		}
		if err != nil {
			return nil, err
		}
		for _, n := range needs {
			state.Needs = append(state.Needs, keyNeed(n))
		}
		if c.JSON && !k.Newest {
			found, err := s.MasterKeys.Holders(p.ctx, k.ID)
			if err != nil {
				return nil, err
			}
			for _, h := range found {
				state.Holders = append(state.Holders, keyOfHolder{h.Kind, h.OrganizationID, h.OrganizationName, h.ID, h.Name,
					h.LastUsedAt, h.ExpiresAt, h.MasterKeyID != ""})
			}
		}
		states = append(states, state)
	}
	if c.Key != "" && len(states) == 0 {
		return nil, fmt.Errorf("master key %s: %w", c.Key, errUnknownMasterKey)
	}
	return states, nil
}

// isOld reports whether a key is to be retired: the newest stays, and nothing is to be done about retired ones.
func isOld(k *models.MasterKey) bool { return !k.Newest && k.RetiredAt == nil }

// isBehind reports whether a key came after the newest one and was never in front. Nothing is made with it yet. all are the keys,
// the newest first.
func isBehind(k *models.MasterKey, all []models.MasterKey) bool {
	return k.CurrentSince == nil && all[0].CurrentSince != nil && k.FirstSeenAt.After(*all[0].CurrentSince)
}

// held are the kinds of needs that name values in the database. The others follow from when a key may have been in front, and say
// nothing of one that never was.
var held = []models.MasterKeyNeedKind{
	models.NeedAPIKey, models.NeedOperatorKey, models.NeedDataKey, models.NeedDocument, models.NeedSecondFactor,
	models.NeedInstallationKey, models.NeedRecoveryCode, models.NeedCalendarFeed,
}

// needsOfOld returns what needs a key that is to be retired; nothing for another one. A key behind the newest one is
// needed only by values from before the upgrade, whose key is not known. behind says that there are none.
func needsOfOld(ctx context.Context, s *store.Store, temporal sdkclient.Client, k *models.MasterKey, all []models.MasterKey) (
	needs []models.MasterKeyNeed, behind bool, err error,
) {
	switch {
	case !isOld(k):
		return nil, false, nil
	case !isBehind(k, all):
		needs, err = needsOf(ctx, s, temporal, k)
		return needs, false, err
	}
	needs, err = s.MasterKeys.Needs(ctx, k.ID)
	needs = slices.DeleteFunc(needs, func(n models.MasterKeyNeed) bool { return !slices.Contains(held, n.Kind) })
	return needs, err == nil && len(needs) == 0, err
}

// dial connects to Temporal. Without it, it returns nil and warns with the reason.
func (c listKeysCmd) dial(p *program) (sdkclient.Client, error) {
	ctx, cancel := context.WithTimeout(p.ctx, temporalTimeout)
	defer cancel()
	temporal, err := p.config.dialPlain(ctx)
	switch {
	case err == nil:
		return temporal, nil
	case c.mustTell:
		return nil, fmt.Errorf("which runs need a master key cannot be told: %w", err)
	}
	fmt.Fprintf(p.stderr, "WARNING: which runs in Temporal need a master key cannot be told: %v\n", err)
	return nil, nil
}

// errUnknownMasterKey is said of an id that no process has had.
var errUnknownMasterKey = errors.New("no process of this installation has had it")

// needsOf returns what needs a key, in the database and in Temporal. Without an answer of Temporal the key counts as needed.
func needsOf(ctx context.Context, s *store.Store, temporal sdkclient.Client, k *models.MasterKey) ([]models.MasterKeyNeed, error) {
	found, err := s.MasterKeys.Needs(ctx, k.ID)
	if err != nil {
		return nil, err
	}
	runs, err := runsUnder(ctx, temporal, k)
	switch {
	case ctx.Err() != nil:
		return nil, err
	case err != nil:
		if !errors.Is(err, errRunsUnknown) { // the reason is told already
			slog.WarnContext(ctx, "what needs a master key is not fully known", "error", err.Error())
		}
		found = append(found, models.MasterKeyNeed{Kind: models.NeedRunsUnknown, Count: 1})
	case runs > 0:
		found = append(found, models.MasterKeyNeed{Kind: models.NeedRun, Count: runs})
	}
	old, err := savedBefore(ctx, s)
	if old {
		found = append(found, models.MasterKeyNeed{Kind: models.NeedSavedKeys, Count: 1})
	}
	return found, err
}

// masterKeys are what staff see of the master keys.
func (p *parts) masterKeys(ctx context.Context) (found models.MasterKeys, err error) {
	all, err := p.store.MasterKeys.List(ctx)
	if err != nil {
		return found, err
	}
	for i := range all {
		key := models.NeededMasterKey{MasterKey: all[i]}
		var needs []models.MasterKeyNeed
		if needs, key.Behind, err = needsOfOld(ctx, p.store, p.client, &all[i], all); err != nil {
			return found, err
		}
		for _, n := range needs {
			said := needsInWords[n.Kind]
			key.Needs = append(key.Needs, models.MasterKeyNeedInWords{MasterKeyNeed: n, What: said.what, Remedy: said.remedy})
		}
		found.Keys = append(found.Keys, key)
	}
	found.Holders, err = p.store.MasterKeys.Holders(ctx, "")
	return found, err
}

// runsUnder counts the open runs that began while a process may have encrypted with a key. Their histories have payloads
// that no other key opens. Errors: errRunsUnknown without a client.
func runsUnder(ctx context.Context, client sdkclient.Client, k *models.MasterKey) (int64, error) {
	// Without Temporal no key counts as free.
	if client == nil {
		return 0, errRunsUnknown
	}
	ctx, cancel := context.WithTimeout(ctx, temporalTimeout)
	defer cancel()
	counted, err := client.CountWorkflow(ctx, &workflowservice.CountWorkflowExecutionsRequest{
		Query: "ExecutionStatus = 'Running' AND StartTime <= '" + masterkeys.MadeUntil(k).UTC().Format(time.RFC3339Nano) + "'",
	})
	if err != nil {
		return 0, fmt.Errorf("which runs master key %s has encrypted cannot be told: %w", k.ID, err)
	}
	return counted.GetCount(), nil
}

// savedBefore reports whether the last file with the wrapped keys is older than their last wrapping.
func savedBefore(ctx context.Context, s *store.Store) (bool, error) {
	at, err := s.MasterKeys.RewrappedAt(ctx)
	if err != nil || at == nil {
		return false, err
	}
	saved, err := s.Integrity.KeysSaved(ctx)
	return err == nil && saved.Last != nil && saved.At.Before(*at), err
}

// needsInWords says what needs a key, and what to do about it.
var needsInWords = map[models.MasterKeyNeedKind]struct{ what, remedy string }{
	models.NeedProcess:         {"processes that have it in front", "put the newest key in front, restart them, and wait two minutes"},
	models.NeedAPIKey:          {"API keys", "each moves when it is used; ask the holders of the others to use or rotate them"},
	models.NeedOperatorKey:     {"operator keys", "each moves when it is used; revoke the others"},
	models.NeedDataKey:         {"data keys of organizations", "levy keys rotate, or wait"},
	models.NeedDocument:        {"keys of documents", "levy keys rotate, or wait"},
	models.NeedSecondFactor:    {"keys of second factors", "levy keys rotate, or wait"},
	models.NeedInstallationKey: {"keys of the installation", "levy keys rotate, or wait"},
	models.NeedRecoveryCode:    {"recovery codes", "their people make new ones on the page /account"},
	models.NeedSession:         {"sessions of the console", "they end"},
	models.NeedSignInLink:      {"sign-in links", "they end"},
	models.NeedOnboardingLink:  {"onboarding links", "they end, or are made anew"},
	models.NeedCalendarFeed:    {"calendar feeds", "each moves when it is read; revoke the others"},
	models.NeedAuditSeal:       {"seals of audit trails", "wait; levy audit verify says if a trail is broken"},
	models.NeedRun:             {"open runs in Temporal", "they end; one that is terminated is started again from its record"},
	models.NeedRunsUnknown:     {"count of open runs, which Temporal does not tell", "look again when Temporal answers"},
	models.NeedSavedKeys:       {"file of wrapped keys from before they were wrapped again", "levy keys save"},
}

func (n keyNeed) inWords() string {
	said := needsInWords[n.Kind]
	until := ""
	if n.Until != nil {
		until = ", by " + n.Until.UTC().Format(time.RFC3339)
	}
	return fmt.Sprintf("%d %s: %s%s", n.Count, said.what, said.remedy, until)
}

func (k keyState) inWords() string {
	switch {
	case k.Lost:
		return "lost"
	case k.RetiredAt != nil:
		return "retired at " + k.RetiredAt.UTC().Format(time.RFC3339)
	case k.Newest:
		return "the newest; others are taken over by it"
	case k.Behind:
		return "behind the newest: nothing is made with it before it is in front"
	case len(k.Needs) == 0:
		return "needed by nothing: levy keys retire " + k.ID
	}
	return "needed"
}

func printKeyStates(to io.Writer, states []keyState) error {
	if len(states) == 0 {
		_, err := fmt.Fprintln(to, "No process has started with a master key, and no command has made a key with one.")
		return err
	}
	t := tabwriter.NewWriter(to, 0, 4, 2, ' ', 0)
	for _, k := range states {
		fmt.Fprintf(t, "%s\t%s\n", k.ID, k.inWords())
		for _, n := range k.Needs {
			fmt.Fprintf(t, "\t- %s\n", n.inWords())
		}
	}
	return t.Flush()
}

// printHolders prints keys and codes as CSV, whose cells no program takes for formulas.
func printHolders(to io.Writer, found []models.MasterKeyHolder) error {
	out := bufio.NewWriter(to)
	w := csvfile.Writer{To: out}
	for _, name := range []string{"master_key", "kind", "organization_id", "organization_name", "id", "name", "last_used_at",
		"expires_at"} {
		w.Cell(name)
	}
	err := w.End()
	for i := range found {
		h := &found[i]
		for _, cell := range []string{h.MasterKeyID, string(h.Kind), h.OrganizationID} {
			w.Cell(cell)
		}
		w.Text(h.OrganizationName)
		w.Cell(h.ID)
		w.Text(h.Name)
		w.Cell(timeOrNothing(h.LastUsedAt))
		w.Cell(timeOrNothing(h.ExpiresAt))
		err = w.End()
	}
	return errors.Join(err, out.Flush())
}

func timeOrNothing(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// masterKeysState is how far the newest master key is.
type masterKeysState models.MasterKeyRun

// inWords says which key is the newest, and how far it has taken over what older ones wrapped and sealed.
func (k masterKeysState) inWords() string {
	switch {
	case k.Older == 0:
		return k.Newest
	case k.FinishedAt == nil:
		return fmt.Sprintf("%s takes over from older ones: %d wrapped keys and seals are done, %d are left", k.Newest,
			k.SealedAgain, k.Left)
	}
	return fmt.Sprintf("%s has taken over all wrapped keys and seals; older keys that are not retired: %d", k.Newest, k.Older)
}
