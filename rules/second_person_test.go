package rules_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
	"levy/tax/calendar"
)

func TestWhoMadeAReturnIsNoSecondPerson(t *testing.T) {
	t.Parallel()
	ann, eve := models.Actor{Staff: "Ann Lee"}, models.Actor{UserID: "user_eve", UserName: "Eve"}
	key := models.Actor{APIKeyID: "key_1"}
	at := func(hour int) time.Time { return time.Date(2026, 2, 1, hour, 0, 0, 0, time.UTC) }
	work := func(by models.Actor, hour int) rules.FilingWork { return rules.FilingWork{By: by, At: at(hour)} }
	approval := func(by models.Actor, hour int) rules.FilingWork {
		return rules.FilingWork{By: by, At: at(hour), Approval: true}
	}
	gave := func(by models.Actor, to string) models.AccessSource { return models.AccessSource{To: to, By: by} }
	for _, test := range []struct {
		rule   string
		by     models.Actor
		works  []rules.FilingWork
		access []models.AccessSource
		reason models.SecondPersonReason
	}{
		{rule: "who made nothing may decide", by: bob, works: []rules.FilingWork{work(ada, 1)}},
		{rule: "the last work is not the only one", by: ada, works: []rules.FilingWork{work(ada, 1), work(bob, 2)},
			reason: models.SecondPersonIsMaker},
		{rule: "what another person approved was seen", by: ada, works: []rules.FilingWork{work(ada, 1), approval(bob, 2)}},
		{rule: "what came after that was not", by: ada, works: []rules.FilingWork{approval(bob, 1), work(ada, 2)},
			reason: models.SecondPersonIsMaker},
		{rule: "one's own approval shows nothing to others", by: ada,
			works: []rules.FilingWork{work(ada, 1), approval(ada, 2)}, reason: models.SecondPersonIsMaker},
		{rule: "that of a key neither", by: ada, works: []rules.FilingWork{work(ada, 1), approval(key, 2)},
			reason: models.SecondPersonIsMaker},
		{rule: "that of a twin neither", by: ada, works: []rules.FilingWork{work(ada, 1), approval(bob, 2)},
			access: []models.AccessSource{gave(ada, "user_bob")}, reason: models.SecondPersonIsMaker},
		{rule: "an approval is no work", by: bob, works: []rules.FilingWork{approval(bob, 1)}},
		{rule: "a twin of the maker", by: bob, works: []rules.FilingWork{work(ada, 1)},
			access: []models.AccessSource{gave(ada, "user_bob")}, reason: models.SecondPersonIsTwin},
		{rule: "whose twin made it", by: ada, works: []rules.FilingWork{work(bob, 1)},
			access: []models.AccessSource{gave(ada, "user_bob")}, reason: models.SecondPersonIsTwin},
		{rule: "two twins of one admin", by: bob, works: []rules.FilingWork{work(eve, 1)},
			access: []models.AccessSource{gave(ada, "user_bob"), gave(ada, "user_eve")}, reason: models.SecondPersonIsTwin},
		{rule: "a twin of a twin", by: eve, works: []rules.FilingWork{work(ada, 1)},
			access: []models.AccessSource{gave(ada, "user_bob"), gave(bob, "user_eve")}, reason: models.SecondPersonIsTwin},
		{rule: "a twin by a key of the maker", by: bob, works: []rules.FilingWork{work(ada, 1)},
			access: []models.AccessSource{gave(key, "user_bob"), gave(ada, "key_1")}, reason: models.SecondPersonIsTwin},
		{rule: "who made the key that worked", by: ada, works: []rules.FilingWork{work(key, 1)},
			access: []models.AccessSource{gave(ada, "key_1")}, reason: models.SecondPersonIsTwin},
		{rule: "a key of another", by: bob, works: []rules.FilingWork{work(key, 1)},
			access: []models.AccessSource{gave(ada, "key_1")}},
		{rule: "people of the command line are nobody's twins", by: bob, works: []rules.FilingWork{work(ada, 1)},
			access: []models.AccessSource{gave(byLevy, "user_bob"), gave(byLevy, "user_ada")}},
		{rule: "an operator by a key with a name", by: ann, works: []rules.FilingWork{work(ada, 1)}},
		{rule: "and by a session with that name", by: ann,
			works:  []rules.FilingWork{work(models.Actor{UserID: "user_ann", UserName: "Ann Lee"}, 1)},
			reason: models.SecondPersonIsMaker},
		{rule: "a key is nobody", by: key, reason: models.SecondPersonIsKey},
	} {
		err := rules.CheckSecondPerson(test.by, rules.SecondPersonFacts{Required: true, Works: test.works, Access: test.access})
		var found *models.SecondPersonError
		if test.reason == "" {
			require.NoError(t, err, test.rule)
		} else {
			require.ErrorAs(t, err, &found, test.rule)
			require.Equal(t, test.reason, found.Reason, test.rule)
		}
		require.NoError(t, rules.CheckSecondPerson(test.by, rules.SecondPersonFacts{Works: test.works, Access: test.access}))
	}
}

func TestALongPauseIsADecision(t *testing.T) {
	t.Parallel()
	day := func(text string) *time.Time {
		at := calendar.MustDate(text).Time()
		return &at
	}
	today := calendar.MustDate("2026-02-10")
	unfiled := models.Filing{Status: models.FilingUnfiled, DueDate: day("2026-02-20"), Today: today}
	paused := func(until *time.Time) models.Filing {
		f := unfiled
		f.Status, f.PausedUntilDate = models.FilingPaused, until
		return f
	}
	for _, test := range []struct {
		rule          string
		before, after models.Filing
		long          bool
	}{
		{"until it is resumed", unfiled, paused(nil), true},
		{"beyond its due date", unfiled, paused(day("2026-02-21")), true},
		{"up to its due date", unfiled, paused(day("2026-02-20")), false},
		{"a longer one", paused(day("2026-02-15")), paused(day("2026-02-21")), true},
		{"one without an end that had one", paused(day("2026-02-15")), paused(nil), true},
		{"the same again", paused(nil), paused(nil), false},
		{"no pause", paused(nil), unfiled, false},
	} {
		require.Equal(t, test.long, rules.PausesForLong(&test.before, &test.after), test.rule)
	}
	undated := paused(day("2026-03-13"))
	undated.DueDate = nil
	require.False(t, rules.PausesForLong(&unfiled, &undated), "31 days without a due date")
	undated.PausedUntilDate = day("2026-03-14")
	require.True(t, rules.PausesForLong(&unfiled, &undated))
}

func TestTwoAdminsEndTheSecondPerson(t *testing.T) {
	t.Parallel()
	asked := time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)
	twin := []models.AccessSource{{To: "user_bob", By: ada}}
	operator := models.Actor{Staff: "sam"}
	for _, test := range []struct {
		rule  string
		first *models.Actor
		by    models.Actor
		after time.Duration
		gave  []models.AccessSource
		ends  bool
		err   error
	}{
		{rule: "the first one asks", by: ada},
		{rule: "who asks again is no other one", first: &ada, by: ada},
		{rule: "another one ends it", first: &ada, by: bob, ends: true},
		{rule: "in time", first: &ada, by: bob, after: models.SecondPersonAfter},
		{rule: "a twin does not", first: &ada, by: bob, gave: twin, err: models.ErrSecondPersonNeeded},
		{rule: "a key does not", first: &ada, by: models.Actor{APIKeyID: "key_1"}, err: models.ErrForbidden},
		{rule: "the operator ends it for the only admin", first: &ada, by: operator, ends: true},
		{rule: "who has to ask", by: operator, err: models.ErrForbidden},
	} {
		ends, err := rules.EndsSecondPerson(rules.SecondPersonEnd{
			First: test.first, Asked: asked, By: test.by, Now: asked.Add(test.after), Access: test.gave,
		})
		require.Equal(t, test.ends, ends, test.rule)
		require.ErrorIs(t, err, test.err, test.rule)
	}
}
