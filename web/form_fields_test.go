package web

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The kit renders every control of a page: other templates have only hidden inputs.
func TestEveryFieldIsOfTheKit(t *testing.T) {
	t.Parallel()
	control := regexp.MustCompile(`<(?:input|select|textarea)\b[^>]*`)
	files, err := templates.ReadDir("templates")
	require.NoError(t, err)
	for _, file := range files {
		page, err := templates.ReadFile("templates/" + file.Name())
		require.NoError(t, err)
		for _, tag := range control.FindAllString(string(page), -1) {
			require.True(t, file.Name() == "fields.html" || strings.Contains(tag, ` type="hidden"`), "%s: %s", file.Name(), tag)
		}
	}
}

// A control has its label, its rules, and the ids of the texts about it.
func TestAControlSaysWhatItAsks(t *testing.T) {
	t.Parallel()
	console := consoleOver(t, nil)
	for name, c := range map[string]struct {
		field field
		says  string
	}{
		"a line": {required(hinted(text("first_name", "Name", 20, "name"), "As on the card")), `<label for="first-name">Name ` +
			`*</label><input id="first-name" name="first_name" type="text" autocomplete="name" maxlength="20" ` +
			`aria-required="true" value="" aria-describedby="first-name-hint"><p class="quiet" id="first-name-hint">As on the ` +
			`card</p>`},
		"a line that the browser checks": {field{Name: "url", Label: "Address", Kind: "url", Required: true, Native: true,
			Value: `"<x>`, Note: "refused-0", Invalid: true, id: "it"}, `<label for="it">Address</label><input id="it" name="url" ` +
			`type="url" required value="&#34;&lt;x&gt;" aria-invalid="true" aria-describedby="refused-0">`},
		"a list": {field{Name: "kind", Label: "Kind", Kind: "select", Options: []option{{"A", "Apple"}, {"B", "Pear"}}, Blank: "All",
			Native: true, Value: "B"}, `<label for="kind">Kind</label><select id="kind" name="kind"><option value="">All</option>` +
			`<option value="A">Apple</option><option value="B" selected>Pear</option></select>`},
		"a value that its list does not have": {field{Name: "kind", Label: "Kind", Kind: "select", Unlisted: true, NoBlank: true,
			Native: true, Value: "C"}, `<label for="kind">Kind</label><select id="kind" name="kind"><option value="C" ` +
			`selected>C</option></select>`},
		"lines": {field{Name: "notes", Label: "Notes", Kind: "lines", Native: true, Value: "a\n\nb"}, `<label ` +
			`for="notes">Notes</label><textarea id="notes" name="notes" rows="3">` + "\na\n\nb</textarea>"},
		"a tick": {field{Name: "is_test", Label: "Test", Kind: "check", Value: "true", Fault: "No."}, `<label class="check"><input ` +
			`type="checkbox" id="is-test" name="is_test" value="true" checked aria-invalid="true" ` +
			`aria-describedby="is-test-wrong"> Test</label><p class="bad" id="is-test-wrong">No.</p>`},
		"a password": {field{Name: "password", Label: "Password", Kind: "password", Min: 12, Native: true, Value: "secret"},
			`<label for="password">Password</label><input id="password" name="password" type="password" minlength="12">`},
		"a number that is stored encrypted": {field{Name: "ssn", Label: "SSN", Kind: "personal", Auto: "off", Stored: "****1",
			Native: true}, `<label for="ssn">SSN</label><input id="ssn" name="ssn" type="text" autocomplete="off" value="" ` +
			`data-personal aria-describedby="ssn-hint"><p class="quiet" id="ssn-hint">Saved: ****1. Leave empty to keep it.</p>`},
		"what is only shown": {shown("address", "Address", "https://x"), `<label for="address">Address</label><input id="address" ` +
			`readonly value="https://x">`},
	} {
		var b strings.Builder
		require.NoError(t, console.templates.ExecuteTemplate(&b, "field", c.field))
		require.Equal(t, c.says, strings.TrimSpace(withoutLayout(b.String())), name)
	}
}

// A fault leads to the field of its path, or of the nearest part that contains it.
func TestAFaultLeadsToItsField(t *testing.T) {
	t.Parallel()
	from := originsOf([]field{
		{Name: "city", Path: "shipping_address.city"}, {Name: "events", Path: "enabled_events"}, {Name: "name"},
		{Name: "kind", Path: "product_category", Also: []string{"product_subcategory"}},
	})
	for path, field := range map[string]string{
		"shipping_address.city": "city", "enabled_events[1]": "events", "enabled_events[1].name": "events", "name": "name",
		"product_subcategory": "kind", "shipping_address": "", "other": "", "": "",
	} {
		require.Equal(t, field, from.Of(path), path)
	}
	form := htmlForm{Groups: []fieldGroup{{Fields: []field{
		{Name: "amount", Label: "Amount"}, {Name: "city", Label: "City", Path: "shipping_address.city"},
	}}}}
	require.Equal(t, map[string]any{"amount": "1", "shipping_address": map[string]any{"city": "Troy"}},
		form.body(nil, map[string][]string{"amount": {"1"}, "city": {"Troy"}}))
	faults := form.mark(&problem{Errors: []problemField{{"body.shipping_address.city", "city is required."}}})
	require.Equal(t, []fault{{"city", "City", "This is needed."}}, faults)
}
