package store_test

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// those lists the states of a machine for which a predicate is true.
func those[S ~string](all []string, is func(S) bool) []string {
	return slices.DeleteFunc(slices.Clone(all), func(state string) bool { return !is(S(state)) })
}

// statementLists are the lists of types and statuses that statements name, each with the predicate that it repeats.
func statementLists() map[string][]string {
	filing, registration := models.FilingTransitions.States, models.RegistrationTransitions.States
	imports, onboarding := models.ImportTransitions.States, models.OnboardingTransitions.States
	notices := models.NoticeTransitions.States
	processing := models.ProcessingTransitions.States
	types := []string{"SALE", "FULL_CREDIT_NOTE", "PARTIAL_CREDIT_NOTE", "TAX_REFUND", "ARCHIVE"}
	leadsTo := func(m models.StateMachine, to string) func(string) bool {
		return func(from string) bool { return m.CanTransition(from, to) }
	}
	return map[string][]string{
		"credits": those(types, models.TransactionType.IsCredit),
		"credits of a sale": those(types, func(t models.TransactionType) bool {
			return t.IsCredit() && t != models.TypeTaxRefund
		}),
		"transactions that reserve":        those(models.TransactionTransitions.States, models.TransactionStatus.Reserves),
		"transactions that are calculated": those(processing, models.ProcessingStatus.Calculated),
		"transactions in processing":       those(processing, func(s models.ProcessingStatus) bool { return !s.Terminal() }),
		"filings that are live":            those(filing, models.FilingStatus.Live),
		"filings that are over":            those(filing, models.FilingStatus.Over),
		"filings that are not over":        those(filing, func(s models.FilingStatus) bool { return !s.Over() }),
		"filings that are over and not filed": those(filing, func(s models.FilingStatus) bool {
			return s.Over() && s != models.FilingFiled
		}),
		"filings that people or the timer have": those(filing, func(s models.FilingStatus) bool {
			return !s.Over() && s != models.FilingFiling
		}),
		"filings that can be handed over": those(filing, leadsTo(models.FilingTransitions, "FILING")),
		"registrations that end": those(registration, func(s models.RegistrationStatus) bool {
			return s.Began() && s != models.RegistrationRegistered
		}),
		"registrations that began":          those(registration, models.RegistrationStatus.Began),
		"registrations that collect":        those(registration, models.RegistrationStatus.Collects),
		"registrations that are over":       those(registration, models.RegistrationStatus.Over),
		"registrations on their way":        those(registration, models.RegistrationStatus.Pending),
		"nexus records with a registration": {"PENDING_REGISTRATION", "REGISTERED"},
		"notices that are over":             those(notices, func(s models.NoticeStatus) bool { return !s.Waits() }),
		"imports that are over":             those(imports, models.ImportStatus.Over),
		"imports that are not over":         those(imports, func(s models.ImportStatus) bool { return !s.Over() }),
		"imports of a whole file that are not over": those(imports, func(s models.ImportStatus) bool {
			return !s.Over() && s != models.ImportUploading
		}),
		"onboardings that are undone": those(onboarding, models.OnboardingStatus.Undone),
		"onboardings that are open": those(onboarding, func(s models.OnboardingStatus) bool {
			return !s.Undone() && s != models.OnboardingCompleted
		}),
		"transactions of a return": those(processing, func(s models.ProcessingStatus) bool {
			return s.Calculated() && s != models.ProcessingProcessed
		}),
	}
}

// Statements name statuses and types in lists. Each list must equal that of a predicate of the models,
// so that a new status is considered here as well. Lists without a predicate are in a table.
func TestTheListsOfStatusesInStatementsAreThoseOfTheModels(t *testing.T) {
	t.Parallel()
	known := map[string]string{}
	key := func(states []string) string {
		states = slices.Clone(states)
		slices.Sort(states)
		return strings.Join(states, " ")
	}
	for name, states := range statementLists() {
		known[key(states)] = name
	}
	for list, what := range map[string]string{ // no predicate
		"COMMITTED FULLY_REFUNDED PARTIALLY_REFUNDED":                          "transactions that are taxed",
		"CANCELLED INVALID":                                                    "transactions that are not calculated",
		"CANCELLED INVALID ARCHIVED FULLY_REFUNDED":                            "sales that no other sale repeats",
		"NEW UPDATED QUEUED":                                                   "transactions before their first stage",
		"ADDRESS_DONE EXEMPT_DONE NEXUS_DONE":                                  "stages before the last",
		"ADDRESS_DONE EXEMPT_DONE NEXUS_DONE PROCESSED":                        "stages",
		"NEXUS_DONE PROCESSED":                                                 "transactions that an obligation calculates again",
		"NEEDS_REFETCH NEW UPDATED QUEUED ADDRESS_DONE EXEMPT_DONE NEXUS_DONE": "transactions that may be unresolved",
		"PROCESSING VALIDATING DEREGISTERING":                                  "registrations that are with an authority",
		"VALIDATING DEREGISTERING":                                             "registrations that people confirm",
		"EXPOSED PENDING_REGISTRATION":                                         "nexus records without a registration in force",
		"FILING ISSUE":                                                         "returns that are claimed and not filed",
		"QUEUED RUNNING":                                                       "imports that workers take in",
		"QUEUED RUNNING PAUSED":                                                "imports that go on without a correction",
		"PAUSED FAILED":                                                        "imports that people resume",
	} {
		known[key(strings.Fields(list))] = what
	}
	list := regexp.MustCompile(`\b(?:\w+_)?(?:status|type|stage) (?:NOT )?IN \(([^()]*)\)`)
	name := regexp.MustCompile(`^'[A-Z_]+'$`)
	used := map[string]bool{}
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && entry.Name() == "storetest" {
			return cmp.Or(err, fs.SkipDir)
		}
		if entry.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, match := range list.FindAllStringSubmatch(string(text), -1) {
			var states []string
			for part := range strings.SplitSeq(match[1], ",") {
				if part = strings.TrimSpace(part); name.MatchString(part) {
					states = append(states, strings.Trim(part, "'"))
				}
			}
			if states == nil {
				continue // an argument
			}
			used[key(states)] = true
			if known[key(states)] == "" {
				t.Errorf("%s: %s", file, match[0])
			}
		}
		return nil
	})
	require.NoError(t, err)
	for list, name := range known {
		if !used[list] {
			t.Errorf("no statement lists the %s: %s", name, list)
		}
	}
}
