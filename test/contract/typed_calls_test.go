package contract_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	types "levy/contract"
	problems "levy/contract/problem"
	"levy/models"
	"levy/service"
)

// enter admits a key to its organization, for calls of an operation.
func (in *installation) enter(as credentials, operation string) *service.Session {
	in.t.Helper()
	ctx, s := in.t.Context(), in.server.Service()
	who, err := s.CallerByKey(ctx, service.Peer{Address: in.address()}, as.key)
	require.NoError(in.t, err)
	session, err := s.Enter(ctx, who, operation, as.organization)
	require.NoError(in.t, err)
	in.t.Cleanup(session.Close)
	return session
}

// refusal is the problem of a typed call.
func refusal(t *testing.T, session *service.Session, err error) *problems.Problem {
	t.Helper()
	require.Error(t, err)
	p := service.ProblemOf(session.Context(t.Context()), err)
	require.NotNil(t, p, "%v", err)
	return p
}

// A typed call with an idempotency key is carried out once. Its repeat gets the stored answer, without secrets, and
// another request with the key is refused.
func TestTypedCallsAreReplayed(t *testing.T) {
	t.Parallel()
	in := install(t)
	ctx, client := t.Context(), in.client()
	products := in.enter(client, "createProduct").WithKey("typed-1")
	request := types.CreateProductRequest{Body: types.ProductCreate{
		ExternalID: "TYPED", Name: "Widget", ProductCategory: "PHYSICAL",
	}}
	first, err := products.CreateProduct(ctx, request)
	require.NoError(t, err)
	again, err := products.CreateProduct(ctx, request)
	require.NoError(t, err)
	require.Equal(t, first, again)
	request.Body.Name = "Another"
	_, err = products.CreateProduct(ctx, request)
	require.Equal(t, problems.CodeIdempotencyKeyReused, refusal(t, products, err).Code)

	partner := in.parentOf(client)
	keys := in.enter(partner, "createAPIKey").WithKey("typed-2")
	made, err := keys.CreateAPIKey(ctx, types.CreateAPIKeyRequest{})
	require.NoError(t, err)
	require.NotEmpty(t, made.APIKey)
	repeated, err := keys.CreateAPIKey(ctx, types.CreateAPIKeyRequest{})
	require.NoError(t, err)
	require.Equal(t, made.ID, repeated.ID)
	require.Empty(t, repeated.APIKey, "a secret is not stored")

	archived := in.enter(client, "archiveProduct").WithKey("typed-3")
	for range 2 {
		require.NoError(t, archived.ArchiveProduct(ctx, types.ArchiveProductRequest{ProductID: first.ID}))
	}
}

// A typed upload is bounded like one over HTTP, and its idempotency key is bound to the file.
func TestTypedUploadsAreChecked(t *testing.T) {
	t.Parallel()
	in := install(t)
	ctx, client := t.Context(), in.client()
	exemption := types.UploadExemptionAttachmentRequest{ExemptionID: in.exemption(client)}
	session := in.enter(client, "uploadExemptionAttachment").WithKey("typed-file")
	upload := func(content []byte) (types.StoredAttachment, error) {
		file := &types.File{Name: "a.pdf", Type: "application/pdf", Content: bytes.NewReader(content)}
		return session.WithFile(file).UploadExemptionAttachment(ctx, exemption)
	}
	_, err := session.UploadExemptionAttachment(ctx, exemption)
	require.Equal(t, problems.CodeUnsupportedMediaType, refusal(t, session, err).Code)
	_, err = upload(nil)
	require.Equal(t, models.FieldMissing, refusal(t, session, err).Errors[0].Code)
	_, err = upload(make([]byte, in.server.Service().Operation("uploadExemptionAttachment").BodyLimit+1))
	require.Equal(t, problems.CodePayloadTooLarge, refusal(t, session, err).Code)
	first, err := upload([]byte("%PDF-1.7"))
	require.NoError(t, err)
	again, err := upload([]byte("%PDF-1.7"))
	require.NoError(t, err)
	require.Equal(t, first.ID, again.ID)
	_, err = upload([]byte("%PDF-1.8"))
	require.Equal(t, problems.CodeIdempotencyKeyReused, refusal(t, session, err).Code)

	imports := in.enter(client, "createTransactionImport")
	_, err = imports.CreateTransactionImport(ctx, types.CreateTransactionImportRequest{})
	require.Equal(t, problems.CodeUnsupportedMediaType, refusal(t, imports, err).Code)
}

// Typed requests arrive as they were meant: lists and times in the query, zeros, null and addresses of any kind.
func TestTypedRequestsArriveAsMeant(t *testing.T) {
	t.Parallel()
	in := install(t)
	ctx, client := t.Context(), in.client()
	id, _ := in.transaction(client)
	session := in.enter(client, "listTransactions")
	query := types.ListTransactionsParams{
		Status:      []types.TransactionStatus{types.TransactionStatusCOMMITTED, types.TransactionStatusPENDING},
		Marketplace: new(bool), OrderBy: []string{"-date"}, Size: 1,
	}
	found, err := session.ListTransactions(ctx, types.ListTransactionsRequest{Params: query})
	require.NoError(t, err)
	require.Len(t, found.Items, 1)
	require.Equal(t, id, found.Items[0].ID)
	query.EndDate = found.Items[0].Date
	found, err = session.ListTransactions(ctx, types.ListTransactionsRequest{Params: query})
	require.NoError(t, err)
	require.Len(t, found.Items, 1, "to the instant, and not to the second before it")
	query.StartDate, query.EndDate = query.EndDate.Add(1000), query.EndDate.AddDate(1, 0, 0)
	found, err = session.ListTransactions(ctx, types.ListTransactionsRequest{Params: query})
	require.NoError(t, err)
	require.Empty(t, found.Items)

	customer, err := session.CreateCustomer(ctx, types.CreateCustomerRequest{
		Body: types.CustomerCreate{ExternalID: "TYPED", Name: "Ada, Inc", Email: "ü@exämple.com"},
	})
	require.NoError(t, err)
	page, err := session.ListCustomers(ctx, types.ListCustomersRequest{
		Params: types.ListCustomersParams{SearchQuery: "Ada, Inc"},
	})
	require.NoError(t, err)
	require.Equal(t, customer.ID, page.Items[0].ID)
	update := types.CustomerUpdate{}
	update.Email.SetNull()
	changed, err := session.UpdateCustomer(ctx, types.UpdateCustomerRequest{CustomerID: customer.ID, Body: update})
	require.NoError(t, err)
	require.Empty(t, changed.Email)
	require.Equal(t, "Ada, Inc", changed.Name)

	same, err := session.GetCustomerByExternalID(ctx, types.GetCustomerByExternalIDRequest{ExternalID: "TYPED"})
	require.NoError(t, err)
	require.Equal(t, customer.ID, same.ID)
	_, err = session.GetCustomer(ctx, types.GetCustomerRequest{})
	require.Equal(t, problems.CodeResourceNotFound, refusal(t, session, err).Code)
}

// A typed stream gets the bytes of the file that HTTP answers with.
func TestATypedStreamWritesTheFileOfHTTP(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client()
	in.transaction(client)
	want := in.call(client, "GET", "/v1/transactions/export?format=csv", "", 200)
	var got fileStream
	session := in.enter(client, "exportTransactions")
	require.NoError(t, session.ExportTransactions(t.Context(), types.ExportTransactionsRequest{
		Params: types.ExportTransactionsParams{Format: "csv"},
	}, &got))
	require.Equal(t, want.header.Get("Content-Type"), got.content.Type)
	require.Equal(t, string(want.body), got.String())
	err := session.ExportTransactions(context.WithoutCancel(t.Context()), types.ExportTransactionsRequest{}, &got)
	require.Equal(t, problems.CodeValidationFailed, refusal(t, session, err).Code)
}

// fileStream holds what an operation writes.
type fileStream struct {
	bytes.Buffer
	content types.Content
}

func (f *fileStream) Begin(content types.Content) { f.content = content }
func (*fileStream) Flush()                        {}
func (*fileStream) LastEventID() string           { return "" }
