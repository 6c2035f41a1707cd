package filings

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/models"
	"levy/service/internal/convert"
)

// An event has lines of at most 75 octets, escaped texts and no broken letter, RFC 5545 sections 3.1 and 3.3.11.
func TestEventsAreFoldedAndEscaped(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 10, 20, 0, 0, 0, 0, time.UTC)
	name := "Müller, Söhne; Œuvre \\ Co.\r\nBEGIN:VEVENT " + strings.Repeat("ß", 100)
	f := models.DueFiling{Filing: models.Filing{
		ID: "file_1", Status: models.FilingUnfiled, StateCode: "FL", DueDate: &day, UpdatedAt: day.Add(-time.Hour),
	}, OrganizationName: &name}
	var to bytes.Buffer
	shown := contract.DueFiling{
		StartDate: convert.DayOf(day), EndDate: convert.DayOf(day), FilingCategory: "REGULAR", Amount: "1234.56", Currency: "USD",
		MissingData: []string{models.LacksNumber},
	}
	require.NoError(t, writeEvent(&to, &f, &shown))
	lines := strings.Split(strings.TrimSuffix(to.String(), "\r\n"), "\r\n")
	require.Equal(t, "BEGIN:VEVENT", lines[0])
	require.NotContains(t, to.String(), "\r\nBEGIN:", "a name begins no event")
	for _, line := range lines {
		require.LessOrEqual(t, len(line), 75)
		require.Equal(t, line, strings.ToValidUTF8(line, "?"))
		require.NotContains(t, line, "\r")
		require.NotContains(t, line, "\n")
	}
	unfolded := strings.ReplaceAll(to.String(), "\r\n ", "")
	require.Contains(t, unfolded, "UID:file_1@levy\r\n")
	require.Contains(t, unfolded, "DTSTAMP:20261019T230000Z\r\n")
	require.Contains(t, unfolded, "DTSTART;VALUE=DATE:20261020\r\n")
	require.Contains(t, unfolded, `SUMMARY:Müller\, Söhne\; Œuvre \\ Co. BEGIN:VEVENT `+strings.Repeat("ß", 100)+
		`\, FL\, 2026-10-20 to 2026-10-20: open`)
	require.Contains(t, unfolded, `DESCRIPTION:Category: REGULAR\nAmount: 1234.56 USD\nFiling: file_1\nMissing: number of the authority`)
	require.NotContains(t, unfolded, "STATUS:")
	f.Status = models.FilingSkipped
	to.Reset()
	require.NoError(t, writeEvent(&to, &f, &shown))
	require.Contains(t, to.String(), "STATUS:CANCELLED\r\n")
}

// Each status and each kind of missing data has words.
func TestEventsHaveWordsForAll(t *testing.T) {
	t.Parallel()
	for _, status := range []contract.FilingStatus{contract.FilingStatusUNFILED, contract.FilingStatusFILING, contract.FilingStatusFILED,
		contract.FilingStatusPAUSED, contract.FilingStatusISSUE, contract.FilingStatusSKIPPED, contract.FilingStatusCANCELLED} {
		require.NotEmpty(t, eventStatuses[models.FilingStatus(status)], status)
	}
	var document struct {
		Components struct {
			Schemas struct {
				DueFiling struct {
					Properties struct {
						Missing struct{ Items struct{ Enum []string } } `json:"missing_data"`
					}
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal(contract.JSON, &document))
	lacks := document.Components.Schemas.DueFiling.Properties.Missing.Items.Enum
	require.NotEmpty(t, lacks)
	require.ElementsMatch(t, lacks, slices.Collect(maps.Keys(eventLacks)))
}

// A notice has an event on its last day, with what the authority wants. A place, a day or a status of returns selects.
func TestANoticeIsAnEvent(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 10, 20, 0, 0, 0, 0, time.UTC)
	name, amount, currency := "Acme", "125.40", "USD"
	e := models.Exception{ObjectID: "notc_1", OrganizationName: &name, Name: "Florida Revenue", Code: string(models.NoticePenalty),
		Since: day.Add(-time.Hour), Due: &day, Amount: &amount, Currency: &currency, Country: "US", Place: "FL"}
	var to bytes.Buffer
	require.NoError(t, writeNotice(&to, &e))
	unfolded := strings.ReplaceAll(to.String(), "\r\n ", "")
	require.Contains(t, unfolded, "UID:notc_1@levy\r\n")
	require.Contains(t, unfolded, "DTSTART;VALUE=DATE:20261020\r\n")
	require.Contains(t, unfolded, `SUMMARY:Acme\, Florida Revenue: answer the letter about penalty`)
	require.Contains(t, unfolded, `DESCRIPTION:Amount: 125.40 USD\nNotice: notc_1`)
	for f, want := range map[*models.DueFilter]bool{
		{}: true, {From: day, Until: day}: true, {From: day.Add(24 * time.Hour)}: false, {Until: day.Add(-24 * time.Hour)}: false,
		{Countries: []string{"US"}, States: []string{"FL"}}: true, {States: []string{"TX"}}: false, {Countries: []string{"CA"}}: false,
	} {
		require.Equal(t, want, isDue(&e, f), f)
	}
	e.Due = nil
	require.False(t, isDue(&e, &models.DueFilter{}))
}
