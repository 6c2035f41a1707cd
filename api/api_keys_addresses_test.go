package api_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/api"
	"levy/service"
)

// from sends a request from an address.
func from(address string) func(*http.Request) {
	return func(r *http.Request) { r.RemoteAddr = address }
}

// A key with networks works from them alone, also by a trusted proxy, and makes nothing that works from elsewhere.
func TestAKeyIsUsedFromItsNetworksAlone(t *testing.T) {
	t.Parallel()
	in := install(t, func(_ *service.Deps, o *api.Options) { o.TrustedProxies = []string{"192.0.2.0/24"} })
	const keys, inside = "/v1/organizations/api_keys", "203.0.113.9:1"
	made := in.do(in.root, "POST", keys, `{"allowed_addresses":["203.0.113.9/24","2001:db8::1"]}`).expect(200)
	limited := credentials{in.root.organizationID, made.text("api_key")}
	require.Contains(t, made.Body.String(), `"allowed_addresses":["203.0.113.0/24","2001:db8::1/128"]`)
	for address, status := range map[string]int{
		inside: 200, "[::ffff:203.0.113.9]:1": 200, "[2001:db8::1]:1": 200, "[2001:db8::2]:1": 403, "203.0.114.1:1": 403,
	} {
		in.do(limited, "GET", "/v1/products", "", from(address)).expect(status)
	}
	refused := in.do(limited, "GET", "/v1/products", "", from("203.0.114.1:1")).expect(403, "forbidden_for_key")
	require.Contains(t, refused.text("detail"), "203.0.114.1")
	by := header("X-Forwarded-For", "203.0.113.7")
	in.do(limited, "GET", "/v1/products", "", by, from("192.0.2.1:1")).expect(200)
	in.do(limited, "GET", "/v1/products", "", by, from("198.51.100.1:1")).expect(403)

	// Its own keys work from no other address.
	own := in.do(limited, "POST", keys, `{}`, from(inside)).expect(200)
	require.Contains(t, own.Body.String(), `"allowed_addresses":["203.0.113.0/24","2001:db8::1/128"]`)
	in.do(limited, "POST", keys, `{"allowed_addresses":["203.0.113.128/25"]}`, from(inside)).expect(200)
	in.do(limited, "POST", keys, `{"allowed_addresses":["203.0.112.0/23"]}`, from(inside)).expect(403, "forbidden_for_key")
	path := keys + "/" + made.text("id")
	in.do(limited, "PUT", path, `{"allowed_addresses":null}`, from(inside)).expect(403, "forbidden_for_key")
	free := in.do(in.root, "POST", keys, `{}`).expect(200).text("id")
	in.do(limited, "POST", keys+"/"+free+"/rotate", `{}`, from(inside)).expect(403, "forbidden_for_key")
	in.do(limited, "POST", "/v1/users", `{"email":"vi@example.com","name":"Vi","role":"viewer"}`, from(inside)).
		expect(403, "forbidden_for_key")
	in.do(limited, "POST", "/v1/calendar_feeds", `{"name":"Office"}`, from(inside)).expect(403, "forbidden_for_key")

	// A rotation keeps the networks; a change takes effect at once.
	rotated := in.do(in.root, "POST", path+"/rotate", `{"overlap_seconds":60}`).expect(200)
	in.do(credentials{in.root.organizationID, rotated.text("api_key")}, "GET", "/v1/products", "",
		from("203.0.114.1:1")).expect(403)
	in.do(in.root, "PUT", path, `{"name":"Shop"}`).expect(200)
	in.do(limited, "GET", "/v1/products", "", from("203.0.114.1:1")).expect(403)
	in.do(in.root, "PUT", path, `{"allowed_addresses":["203.0.114.1"]}`).expect(200)
	in.do(limited, "GET", "/v1/products", "", from("203.0.114.1:1")).expect(200)
	in.do(in.root, "PUT", path, `{"allowed_addresses":null}`).expect(200)
	in.do(limited, "GET", "/v1/products", "", from("198.51.100.1:1")).expect(200)
	require.Equal(t, []string{"validation_failed invalid_format body.allowed_addresses[1]"},
		in.do(in.root, "POST", keys, `{"allowed_addresses":["203.0.113.1","example.com"]}`).faults())
}
