package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/govalues/decimal"

	"levy/client" // the path of go.mod
)

// service answers a call as Levy does. In a program its address is that of a Levy service.
func service(status int, answer string) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
}

// A sale is recorded. The client repeats the call until it is answered, and Levy carries it out once.
func ExampleClient_CreateTransaction() {
	levy := service(http.StatusAccepted,
		`[{"id":"txn_01jx4m9a2b","external_id":"ORDER-1","processing_status":"QUEUED","total_amount":"108.88"}]`)
	defer levy.Close()

	c := client.New(levy.URL, "key", "org_01jx4m9a2b")
	recorded, err := c.CreateTransaction(context.Background(), client.TransactionCreate{
		ExternalID: "ORDER-1", TotalAmount: decimal.MustParse("108.88"),
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(recorded[0].ID, recorded[0].ProcessingStatus, recorded[0].TotalAmount)
	// Output: txn_01jx4m9a2b QUEUED 108.88
}

// A refusal names each fault by its place in the body.
func ExampleErrorFields() {
	levy := service(http.StatusBadRequest, `{"status":400,"code":"validation_failed","detail":"The request is not valid.",`+
		`"errors":[{"code":"required","location":"body.external_id","message":"is required"}]}`)
	defer levy.Close()

	_, err := client.New(levy.URL, "key", "org_01jx4m9a2b").CreateProduct(context.Background(), client.ProductCreate{})
	fmt.Println(client.ErrorCode(err), client.ErrorFields(err))
	// Output: validation_failed [body.external_id: is required]
}

// All products are read, page by page.
func ExampleClient_EachProduct() {
	levy := service(http.StatusOK, `{"items":[{"external_id":"P-1","name":"Widget"}],"next_cursor":null}`)
	defer levy.Close()

	c := client.New(levy.URL, "key", "org_01jx4m9a2b")
	for product, err := range c.EachProduct(context.Background(), client.ListProductsParams{}) {
		if err != nil {
			panic(err)
		}
		fmt.Println(product.ExternalID, product.Name)
	}
	// Output: P-1 Widget
}

// A receiver verifies an event before it believes it, and answers before it works.
func ExampleVerifyWebhook() {
	http.HandleFunc("POST /levy", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil {
			return
		}
		event, err := client.VerifyWebhook(os.Getenv("LEVY_WEBHOOK_SECRET"), r.Header, body)
		if errors.Is(err, client.ErrSignature) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		if err != nil {
			log.Fatal(err)
		}
		log.Println(event.Type, event.ID)
		w.WriteHeader(http.StatusNoContent)
	})
}
