package words_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

// text is a row of the catalogue of the texts that people read, those of pages, scripts and mails.
type text struct{ text, kind, files string }

// catalogue reads the catalogue, which `make generate` writes.
func catalogue(t *testing.T) (texts []text) {
	t.Helper()
	file, err := os.Open(filepath.Join(root, "web", "texts.csv"))
	require.NoError(t, err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	for _, row := range rows[1:] {
		texts = append(texts, text{row[0], row[1], row[2]})
	}
	return texts
}

// oneWord has the words that no text has, and the word for the same thing that texts have. The words of the house are
// in docs/glossary.md.
var oneWord = []struct {
	banned *regexp.Regexp
	use    string
}{
	{words(`log(?:s|ged|ging)?[ -]?(?:in|out|on|off)`), "sign in, sign out"},
	{words(`delet\w+`), "remove; erase for personal data"},
	{words(`export\w*`), "download"},
	{words(`turn(?:s|ed)?(?: \w+)? (?:on|off)`), "switch on, switch off"},
	{words(`administrators?`), "admin"},
	{words(`emails?`), "e-mail"},
	{words(`web sites?`), "website"},
	{words(`time-?zones?`), "time zone, in two words"},
	{words(`whoever(?:'s)?|whomever|some(?:body|one)|nobody`), "the person, another person, no one"},
	{words(`by (?:it|them)sel(?:f|ves)`), "automatically"},
	{words(`asked for|looked up`), "requested; found"},
	{words(`filings?`), "return; the name of a frequency is “filing frequency”"},
	{words(`verdicts?|standstills?|astray|in vain|comes? to rest`), "a word of docs/glossary.md"},
	{words(`colors?|licenses?|cancell?ing|canceled|catalogs?|favor\w*|\w+(?:gan|thor|cogn)is(?:e|es|ed|ing|ation)\w*|behavior|` +
		`center|label?ed`), "British spelling, with -ize"},
}

func words(pattern string) *regexp.Regexp { return regexp.MustCompile(`(?i)\b(?:` + pattern + `)\b`) }

// allowed are parts of texts that a rule does not concern.
var allowed = regexp.MustCompile(`(?i)filing frequency|day of filing`)

// stored are texts that stay as they are, because records have them.
var stored = map[string]string{
	"Made with the onboarding link, seen by nobody": "the name of keys, by which their page finds them",
}

// knownCodes are names that people write as they are, into a file or a payload, and names of fields for which the console
// has its labels.
var knownCodes = []string{"external_id", "customer_external_id", "external_product_id", "organization_id",
	"business_fiscal_year_end", "create_filings_from", "jurisdiction_specific_fields", "sst_id", "filing_id", "start_date", "end_date"}

// abbreviated are the words in capitals that people know, or that stand next to what they mean.
var abbreviated = []string{"API", "CSV", "XLSX", "PDF", "PNG", "JPEG", "TLS", "UTC", "USD", "ISC", "PIN", "SKU", "ABA",
	"EIN", "FEIN", "SSN", "ITIN", "NAICS", "SSTPID", "HTTP", "CN"}

var (
	codeLike = regexp.MustCompile(`\b[A-Za-z]+(?:_[A-Za-z]+)+\b`)
	capitals = regexp.MustCompile(`\b[A-Z]{3,}\b`)
)

// faultsOfText returns what is wrong with the words of a text.
func faultsOfText(text string) (faults []string) {
	for _, rule := range oneWord {
		if found := rule.banned.FindString(allowed.ReplaceAllString(text, "")); found != "" {
			faults = append(faults, fmt.Sprintf("%q: use %s", found, rule.use))
		}
	}
	for _, code := range codeLike.FindAllString(text, -1) {
		if !slices.Contains(knownCodes, code) {
			faults = append(faults, fmt.Sprintf("%q is a code", code))
		}
	}
	for _, word := range capitals.FindAllString(text, -1) {
		if !slices.Contains(abbreviated, word) {
			faults = append(faults, fmt.Sprintf("%q is a code, or an abbreviation that nobody knows", word))
		}
	}
	for _, one := range alternatives(text) {
		var lines []line // facts with dots between them are no sentence
		for _, fact := range strings.Split(one, "·") {
			lines = append(lines, line{1, strings.TrimSpace(fact)}, line{})
		}
		sentences := sentencesOf(lines)
		for _, s := range sentences {
			if s.length() > longest {
				faults = append(faults, fmt.Sprintf("a sentence of %d words, at most %d are allowed: %s", s.length(), longest, s.text()))
			}
		}
		if len(sentences) > 1 && !strings.Contains(one, "·") && endsWithoutStop(sentences) {
			faults = append(faults, "its last sentence has no full stop: "+one)
		}
	}
	slices.Sort(faults)
	return slices.Compact(faults)
}

// endsWithoutStop reports whether the last of several sentences has no full stop. It begins with a capital: an amount or a
// value after a sentence is none.
func endsWithoutStop(sentences []sentence) bool {
	last := sentences[len(sentences)-1]
	return len(last.words) > 2 && unicode.IsUpper([]rune(last.words[0])[0]) && !ended.MatchString(last.text())
}

var ended = regexp.MustCompile(`[.?!:][)”]?(?:\{\d+\})?$`)

// alternatives returns the texts that a text with brackets can be: each part once present and once absent, while the
// others are as they are at first.
func alternatives(text string) []string {
	begin := strings.LastIndex(text, "[") // the innermost part has no bracket inside
	if begin < 0 {
		return []string{text}
	}
	end := strings.Index(text[begin:], "]")
	if end < 0 {
		return []string{text}
	}
	before, part, after := text[:begin], text[begin+1:begin+end], text[begin+end+1:]
	choices := strings.Split(part, "|")
	if len(choices) == 1 {
		choices = append(choices, "")
	}
	var all []string
	for i, choice := range choices {
		of := alternatives(before + choice + after)
		if i > 0 && len(of) > 1 {
			of = of[:1]
		}
		all = append(all, of...)
	}
	return all
}

// The texts of the pages, the scripts and the mails keep the words of the house.
func TestTextsKeepTheWordsOfTheHouse(t *testing.T) {
	t.Parallel()
	texts := catalogue(t)
	require.Greater(t, len(texts), 1000)
	for _, one := range texts {
		if _, is := stored[one.text]; is {
			continue
		}
		for _, fault := range faultsOfText(one.text) {
			t.Errorf("%s: %q: %s", one.files, one.text, fault)
		}
	}
}

// The same text is the same everywhere: no two differ only in a full stop, a colon or capitals after the first letter.
func TestTheSameTextIsWrittenInOneWay(t *testing.T) {
	t.Parallel()
	first := map[string]text{}
	for _, one := range catalogue(t) {
		if !strings.Contains(one.text, " ") {
			continue
		}
		key := one.text[:1] + strings.ToLower(strings.Trim(one.text[1:], ".: "))
		other, found := first[key]
		if !found {
			first[key] = one
			continue
		}
		t.Errorf("%q in %s is %q in %s", one.text, one.files, other.text, other.files)
	}
}

// The rules of texts find what they are for.
func TestTextsAreRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"Sign in":                              nil,
		"Log in here":                          {`"Log in": use sign in, sign out`},
		"Filing frequency":                     nil,
		"Open the filing":                      {`"filing": use return; the name of a frequency is “filing frequency”`},
		"It is NEEDS_REFETCH":                  {`"NEEDS_REFETCH" is a code`},
		"It is PROCESSED now":                  {`"PROCESSED" is a code, or an abbreviation that nobody knows`},
		"Columns: external_id":                 nil,
		"One is done. The other one is not":    {"its last sentence has no full stop: One is done. The other one is not"},
		"One is done.[ The other one is not.]": nil,
		"It is [done|deleted].":                {`"deleted": use remove; erase for personal data`},
		"[" + strings.Repeat("a ", 20) + "|b]" + strings.Repeat(" c", 6) + ".": {
			"a sentence of 26 words, at most 25 are allowed: " + strings.Repeat("a ", 20) + strings.TrimSpace(strings.Repeat("c ", 6)) + "."},
		strings.Repeat("a ", 25): nil,
	} {
		require.Equal(t, want, faultsOfText(text), text)
	}
	require.Equal(t, []string{"a b", "a c"}, alternatives("a [b|c]"))
	require.Equal(t, []string{"a b c.", "a .", "a b."}, alternatives("a [b[ c]]."))
}
