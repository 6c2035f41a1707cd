package convert

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"

	"levy/models"
)

// ReportRowText returns the name of a row of a report, which lists take as report_row; "" if the row adds up no
// transactions.
func ReportRowText(q *models.ReportQuery, row *models.ReportRow) string {
	if !q.Name.AddsUpTransactions() {
		return ""
	}
	parts := append([]string{string(q.Name), q.From.Format(time.DateOnly), q.Until.Format(time.DateOnly)},
		row.Values[:q.Name.Keys()]...)
	content, _ := json.Marshal(parts) // texts cannot fail
	return base64.RawURLEncoding.EncodeToString(content)
}

// ReportRowOf returns the row that ReportRowText has named; nil for "". A text that names no row is a key without a
// report, which no transaction belongs to.
func ReportRowOf(text string) *models.ReportRowKey {
	if text == "" {
		return nil
	}
	none := &models.ReportRowKey{}
	content, err := base64.RawURLEncoding.DecodeString(text)
	var parts []string
	if err != nil || json.Unmarshal(content, &parts) != nil || len(parts) < 3 || strings.ContainsRune(strings.Join(parts, ""), 0) {
		return none
	}
	key := models.ReportRowKey{Name: models.ReportName(parts[0]), Keys: parts[3:]}
	var wrong error
	key.From, err = time.Parse(time.DateOnly, parts[1])
	key.Until, wrong = time.Parse(time.DateOnly, parts[2])
	if err != nil || wrong != nil || !key.Name.AddsUpTransactions() || len(key.Keys) != key.Name.Keys() {
		return none
	}
	return &key
}
