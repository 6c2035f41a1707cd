package contract_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// White space around an identifier is no part of it, in bodies and in paths. A stored identifier of an earlier release
// that has some is found by its exact spelling.
func TestIdentifiersAreFoundWithSpaceAroundThem(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	made := in.call(shop, "POST", "/v1/products",
		`{"external_id":" LAMP-1\t","name":"Lamp","product_category":"PHYSICAL"}`, 200)
	require.Equal(t, "LAMP-1", made.text(t, "external_id"))
	for _, spelled := range []string{"LAMP-1", "%20LAMP-1", "LAMP-1%C2%A0", "%09LAMP-1%20"} {
		require.Equal(t, made.text(t, "id"), in.call(shop, "GET", "/v1/products/external/"+spelled, "", 200).text(t, "id"))
	}
	in.execute("UPDATE products SET external_id = ' LAMP-1' WHERE id = $1", made.text(t, "id"))
	in.call(shop, "GET", "/v1/products/external/%20LAMP-1", "", 200)
	in.call(shop, "GET", "/v1/products/external/LAMP-1", "", 404)
}
