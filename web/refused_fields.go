package web

import (
	"bytes"
	"fmt"
	"net/url"
	"regexp"
	"slices"
)

var (
	formOnPage  = regexp.MustCompile(`(?s)<form[^>]*method="post"[^>]*>.*?</form>`)
	fieldOnPage = regexp.MustCompile(`<(?:input|select|textarea) id="[^"]+" name="([^"]+)"`)
)

// faulted is a page on which the fields of the form that was refused lead to what is wrong with them, which the page
// says above. Forms that say it at their fields themselves are left alone.
func faulted(page []byte, refused *problem, sent url.Values) []byte {
	for _, at := range formOnPage.FindAllIndex(page, -1) {
		form := page[at[0]:at[1]]
		if !isForm(form, sent) {
			continue
		}
		marked := fieldOnPage.ReplaceAllFunc(form, func(field []byte) []byte {
			name := string(fieldOnPage.FindSubmatch(field)[1])
			for i, e := range refused.Errors {
				if fieldOf(e.Location) == name {
					return fmt.Appendf(bytes.Clone(field), ` aria-invalid="true" aria-describedby="refused-%d"`, i)
				}
			}
			return field
		})
		if !bytes.Equal(marked, form) {
			return slices.Concat(page[:at[0]], marked, page[at[1]:])
		}
	}
	return page
}

// isForm reports whether a form of the page is the one that was sent: its hidden fields say the same.
func isForm(form []byte, sent url.Values) bool {
	for _, name := range []string{"action", "id", "delivery", "object_id", "list"} {
		says := fmt.Appendf(nil, `name="%s" value="`, name)
		if bytes.Contains(form, says) != sent.Has(name) ||
			sent.Has(name) && !bytes.Contains(form, fmt.Appendf(says, `%s"`, sent.Get(name))) {
			return false
		}
	}
	return !bytes.Contains(form, []byte("aria-invalid"))
}
