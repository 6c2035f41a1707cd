package contract_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// Records are found by the whole identifier that the client gave them, however short it is, and each once. The longer
// texts have an L or an O, which ids lack: organizations without a name are found by parts of their id.
func TestSearchFindsIdentifiersOfClients(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.client()
	in.call(shop, "POST", "/v1/customers", `{"external_id":"7","name":"Ada"}`, 200)
	in.call(shop, "POST", "/v1/customers", `{"external_id":"Bolt","name":"Bolt & Nut"}`, 200)
	in.call(shop, "POST", "/v1/products", `{"external_id":"9","name":"Lamp","product_category":"FOOD"}`, 200)
	in.call(shop, "POST", "/v1/transactions", saleBody("LO", "P-1", 1), 202)
	in.call(shop, "POST", "/v1/transactions", saleBody("ORDER-LO42", "P-1", 1), 202)
	for text, want := range map[string][]string{
		"7": {"CUSTOMER Ada"}, "Bolt": {"CUSTOMER Bolt & Nut"}, "9": {"PRODUCT Lamp"}, "LO": {"TRANSACTION LO"},
		"LO42": {"TRANSACTION ORDER-LO42"}, "bolt": {"CUSTOMER Bolt & Nut"}, "8": {},
	} {
		var answer struct {
			Items []struct{ Type, Title string }
		}
		in.call(shop, "GET", "/v1/search?q="+url.QueryEscape(text), "", 200).decode(t, &answer)
		found := []string{}
		for _, item := range answer.Items {
			found = append(found, item.Type+" "+item.Title)
		}
		require.Equal(t, want, found, text)
	}
	for _, name := range []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"} {
		in.call(shop, "POST", "/v1/customers", `{"external_id":"N-`+name+`","name":"Acme `+name+`"}`, 200)
	}
	in.call(shop, "POST", "/v1/customers", `{"external_id":"acme","name":"Best of Acme"}`, 200)
	var many struct {
		Items []struct{ Title string }
		More  []string
	}
	in.call(shop, "GET", "/v1/search?q=acme", "", 200).decode(t, &many)
	require.Len(t, many.Items, 10)
	require.Equal(t, []string{"CUSTOMER"}, many.More, "what is left out is said")
	require.Equal(t, "Best of Acme", many.Items[0].Title, "a whole identifier is found before parts of names")
	stranger := in.call(in.stranger(), "GET", "/v1/search?q=LO", "", 200)
	require.JSONEq(t, `{"items":[],"more":[]}`, string(stranger.body))
}
