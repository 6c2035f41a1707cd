package activities

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"levy/models"
)

// thinFrom is from how many bytes on a body has no object, but says where it is read.
const thinFrom = 20_000

// objectPaths are the paths under which objects are read, by the prefix of their ids.
var objectPaths = map[string]string{
	models.PrefixOrganization:  "/v1/organizations/",
	models.PrefixAPIKey:        "/v1/api-keys/",
	models.PrefixProduct:       "/v1/products/",
	models.PrefixCustomer:      "/v1/customers/",
	models.PrefixExemption:     "/v1/exemptions/",
	models.PrefixTransaction:   "/v1/transactions/",
	models.PrefixPhysicalNexus: "/v1/nexus/physical_nexus/",
	models.PrefixNexus:         "/v1/nexus/",
	models.PrefixRegistration:  "/v1/registrations/",
	models.PrefixFiling:        "/v1/filings/", models.PrefixWebhook: "/v1/webhook_endpoints/",
}

// webhookBody is an event as receivers get it: the document of the feed, with the members that Standard Webhooks
// recommends at its top. One that is too large carries the id of its object and where to read it.
func webhookBody(e models.Event, document []byte) ([]byte, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(document, &members); err != nil {
		return nil, fmt.Errorf("event %s: %w", e.ID(), err)
	}
	at, err := json.Marshal(e.CreatedAt.UTC().Truncate(time.Microsecond))
	if err != nil {
		return nil, err
	}
	members["timestamp"] = at
	if len(document) > thinFrom {
		object := map[string]string{"id": e.ObjectID}
		prefix, _, _ := strings.Cut(e.ObjectID, "_")
		if path, ok := objectPaths[prefix]; ok {
			object["object_url"] = path + e.ObjectID
		}
		if members["data"], err = json.Marshal(map[string]any{"object": object, "thin": true}); err != nil {
			return nil, err
		}
	}
	return json.Marshal(members)
}
