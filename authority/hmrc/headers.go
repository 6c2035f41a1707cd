package hmrc

import (
	"net/http"
	"net/url"
	"strings"

	"levy/models"
)

// preventionHeaders are the headers for fraud prevention that the law wants with each call, for programs whose people work
// through a server. Their names are MED: no specification was read, and the description of the API has none.
var preventionHeaders = []string{
	"Gov-Client-Connection-Method", "Gov-Client-Device-ID", "Gov-Client-User-IDs", "Gov-Client-Timezone", "Gov-Client-Public-IP",
	"Gov-Client-Public-IP-Timestamp", "Gov-Client-Public-Port", "Gov-Client-Multi-Factor", "Gov-Vendor-Version",
	"Gov-Vendor-Product-Name", "Gov-Vendor-License-IDs", "Gov-Vendor-Public-IP", "Gov-Vendor-Forwarded",
}

// batch is how a program is connected whose timer acts.
const batch = "BATCH_PROCESS_DIRECT"

// headersOf returns the headers for fraud prevention of a return by the call that approved it. Nothing is invented: left are
// the names of those that are not known.
func (c *Client) headersOf(approval models.ReturnApproval) (header http.Header, left []string) {
	header = http.Header{}
	known := map[string]string{"Gov-Vendor-Product-Name": "Levy"}
	if c.app.Version != "" {
		known["Gov-Vendor-Version"] = "levy=" + url.QueryEscape(c.app.Version)
	}
	switch {
	case approval.Automatic:
		known["Gov-Client-Connection-Method"] = batch
	case approval.By != "":
		known["Gov-Client-User-IDs"] = "levy=" + url.QueryEscape(approval.By)
	}
	for _, name := range preventionHeaders {
		if value, ok := known[name]; ok {
			header.Set(name, value)
			continue
		}
		left = append(left, name)
	}
	return header, left
}

// saidOfLeft says which headers were left out.
func saidOfLeft(left []string) string {
	if len(left) == 0 {
		return ""
	}
	return " Headers for fraud prevention that nobody recorded, and that were left out: " + strings.Join(left, ", ") + "."
}
