package backup

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"levy/internal/local/postgres"
)

const (
	scheme = "s3://"
	// begunFile is an empty object that is there from the beginning of an upload to its end. Some servers list unfinished
	// uploads only by their exact key, which it tells.
	begunFile = "unfinished"

	amazon  = "https://s3.amazonaws.com"
	tries   = 5                // of one request, also of a download that was cut and got nothing since
	tidying = 30 * time.Second // limits the removal of what a failed upload left
)

// Addressing is how the address of an object names its bucket: by the path, by the host, or as the host suggests.
const (
	AddressingAuto = "auto"
	AddressingPath = "path"
	AddressingHost = "host"
)

// S3 says how an object store is reached by the interface of Amazon S3.
type S3 struct {
	Endpoint   string // https://host:port; "" is Amazon
	Region     string // "": the server tells that of the bucket
	Addressing string

	AccessKey, SecretKey, SessionToken string
}

// Bucket is a part of a bucket of an object store that has the backups of one installation.
type Bucket struct {
	core     *minio.Core
	endpoint string
	bucket   string
	prefix   string // without a slash at either end
	partSize uint64 // bytes that one request sends, and the memory that it needs
}

// InBucket reports whether an address leads to an object store.
func InBucket(address string) bool { return strings.HasPrefix(address, scheme) }

// OpenBucket prepares the use of s3://bucket/prefix. It sends nothing. Errors never contain the credentials.
func OpenBucket(address string, at S3) (*Bucket, error) {
	bucket, prefix, _ := strings.Cut(strings.TrimPrefix(address, scheme), "/")
	prefix = strings.Trim(prefix, "/")
	if bucket == "" || prefix != "" && path.Clean("/"+prefix) != "/"+prefix || strings.ContainsAny(address, "?#@") {
		return nil, fmt.Errorf("%q does not have the form s3://bucket/prefix", address)
	}
	if at.AccessKey == "" || at.SecretKey == "" {
		return nil, errors.New("the object store needs credentials: set LEVY_S3_ACCESS_KEY and LEVY_S3_SECRET_KEY, " +
			"or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
	}
	endpoint := cmp.Or(at.Endpoint, amazon)
	u, err := url.Parse(endpoint)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || strings.Trim(u.Path, "/") != "" ||
		u.User != nil || u.RawQuery != "" {
		return nil, errors.New("LEVY_S3_ENDPOINT must have the form https://host:port")
	}
	lookups := map[string]minio.BucketLookupType{
		AddressingAuto: minio.BucketLookupAuto, AddressingPath: minio.BucketLookupPath, AddressingHost: minio.BucketLookupDNS,
	}
	core, err := minio.NewCore(u.Host, &minio.Options{
		Creds:  credentials.NewStaticV4(at.AccessKey, at.SecretKey, at.SessionToken),
		Secure: u.Scheme == "https", Region: at.Region, BucketLookup: lookups[at.Addressing], MaxRetries: tries,
	})
	if err != nil {
		return nil, fmt.Errorf("the object store: %w", err)
	}
	return &Bucket{
		core: core, endpoint: u.Host, bucket: bucket, prefix: prefix, partSize: 64 << 20,
	}, nil
}

// Address returns the address of a backup.
func (b *Bucket) Address(name string) string { return scheme + path.Join(b.bucket, b.prefix, name) }

// key returns the key of an object of a backup.
func (b *Bucket) key(name, object string) string { return path.Join(b.prefix, name, object) }

// refusals say what the codes of an object store mean to its user.
var refusals = map[string]string{
	"InvalidAccessKeyId":           wrongCredentials,
	"SignatureDoesNotMatch":        wrongCredentials,
	"InvalidToken":                 wrongCredentials,
	"ExpiredToken":                 wrongCredentials,
	"AccessDenied":                 "does not let these credentials list, read, write and delete there",
	"NoSuchBucket":                 "has no such bucket: make it first",
	"PermanentRedirect":            wrongRegion,
	"AuthorizationHeaderMalformed": wrongRegion,
	"RequestTimeTooSkewed":         "has another time than this machine: set its clock",
}

const (
	wrongCredentials = "does not accept the credentials: check LEVY_S3_ACCESS_KEY and LEVY_S3_SECRET_KEY, " +
		"or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
	wrongRegion = "has the bucket in another region: set LEVY_S3_REGION"
)

// explain says in one sentence what an object store refused, without what it says itself.
func (b *Bucket) explain(err error) error {
	if err == nil {
		return nil
	}
	answer, ok := errors.AsType[minio.ErrorResponse](err)
	if !ok {
		return fmt.Errorf("the object store at %s: %w", b.endpoint, err)
	}
	if says := refusals[answer.Code]; says != "" {
		return fmt.Errorf("the object store at %s %s (%s, bucket %s)", b.endpoint, says, answer.Code, b.bucket)
	}
	return fmt.Errorf("the object store at %s answered %s (%d)", b.endpoint, cmp.Or(answer.Code, "an error"),
		answer.StatusCode)
}

// isMissing reports whether there is no such object or upload.
func isMissing(err error) bool {
	answer, ok := errors.AsType[minio.ErrorResponse](err)
	return ok && (answer.Code == minio.NoSuchKey || answer.Code == minio.NoSuchUpload)
}

// nameOf matches the name of a backup, as nameAt makes it.
var nameOf = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$`)

// Names lists the backups by their objects.
func (b *Bucket) Names(ctx context.Context) (whole, unfinished []string, err error) {
	found := map[string]bool{} // whether it is whole
	under := b.key("", "") + "/"
	if b.prefix == "" {
		under = ""
	}
	for object := range b.core.ListObjectsIter(ctx, b.bucket, minio.ListObjectsOptions{Prefix: under, Recursive: true}) {
		if object.Err != nil {
			return nil, nil, b.explain(object.Err)
		}
		name, file, _ := strings.Cut(strings.TrimPrefix(object.Key, under), "/")
		if nameOf.MatchString(name) {
			found[name] = found[name] || file == manifestFile
		}
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if found[name] {
			whole = append(whole, name)
		} else {
			unfinished = append(unfinished, name)
		}
	}
	return whole, unfinished, ctx.Err()
}

// Read reads the manifest.
func (b *Bucket) Read(ctx context.Context, name string) (*Manifest, error) {
	body, _, _, err := b.core.GetObject(ctx, b.bucket, b.key(name, manifestFile), minio.GetObjectOptions{})
	if isMissing(err) {
		return nil, fmt.Errorf("%s has no %s: %w", b.Address(name), manifestFile, ErrNotWhole)
	}
	if err != nil {
		return nil, b.explain(err)
	}
	defer body.Close()
	m := &Manifest{}
	if err := json.NewDecoder(body).Decode(m); err != nil {
		return nil, fmt.Errorf("%s: %w", b.Address(name)+"/"+manifestFile, err)
	}
	if m.Archive == nil {
		return nil, fmt.Errorf("%s does not say what its archive is", b.Address(name)+"/"+manifestFile)
	}
	return m, nil
}

// List reads the list.
func (b *Bucket) List(ctx context.Context, name string) ([]byte, error) {
	body, _, _, err := b.core.GetObject(ctx, b.bucket, b.key(name, listFile), minio.GetObjectOptions{})
	if isMissing(err) {
		return nil, fmt.Errorf("%s: %w", b.Address(name), ErrNoList)
	}
	if err != nil {
		return nil, b.explain(err)
	}
	defer body.Close()
	return io.ReadAll(body)
}

// Write writes the manifest: from then on the backup is whole.
func (b *Bucket) Write(ctx context.Context, name string, m *Manifest) error {
	raw, err := m.encode()
	if err != nil {
		return err
	}
	if err := b.put(ctx, b.key(name, manifestFile), raw); err != nil {
		return err
	}
	return b.drop(ctx, b.key(name, begunFile))
}

// put writes a small object.
func (b *Bucket) put(ctx context.Context, key string, content []byte) error {
	_, err := b.core.Client.PutObject(ctx, b.bucket, key, bytes.NewReader(content), int64(len(content)),
		minio.PutObjectOptions{})
	return b.explain(err)
}

// drop removes an object, also one that is not there.
func (b *Bucket) drop(ctx context.Context, key string) error {
	return b.explain(b.core.RemoveObject(ctx, b.bucket, key, minio.RemoveObjectOptions{}))
}

// Remove removes a backup. The manifest goes first, and what tells of an upload last.
func (b *Bucket) Remove(ctx context.Context, name string) error {
	if err := b.drop(ctx, b.key(name, manifestFile)); err != nil {
		return err
	}
	err := b.core.RemoveIncompleteUpload(ctx, b.bucket, b.key(name, archiveFile))
	if err != nil && !isMissing(err) {
		return b.explain(err)
	}
	for _, file := range []string{archiveFile, listFile} {
		if err := b.drop(ctx, b.key(name, file)); err != nil {
			return err
		}
	}
	return b.drop(ctx, b.key(name, begunFile))
}

// Compare reads a backup once, and keeps nothing of it.
func (b *Bucket) Compare(ctx context.Context, _ *postgres.Tools, name string, m *Manifest) error {
	list, err := b.read(ctx, name, m, "")
	if err != nil {
		return err
	}
	return compareList(ctx, b, name, list)
}

// Unpack does the same, and puts the cluster into a folder.
func (b *Bucket) Unpack(ctx context.Context, _ *postgres.Tools, name string, m *Manifest, to string) error {
	_, err := b.read(ctx, name, m, to)
	return err
}

// read reads the archive of a backup, and compares it with its manifest and each file with its checksum. It
// returns the list in it.
func (b *Bucket) read(ctx context.Context, name string, m *Manifest, to string) (list []byte, err error) {
	object := &download{ctx: ctx, of: b, key: b.key(name, archiveFile)}
	defer object.close()
	return m.unpack(object, to, func() error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case isMissing(object.failed):
			return damaged(fmt.Errorf("%s is missing", b.Address(name)+"/"+archiveFile))
		}
		return b.explain(object.failed)
	})
}

// download reads an object, and goes on where a connection was cut. An object that is replaced meanwhile has another
// checksum.
type download struct {
	ctx    context.Context //nolint:containedctx // a reader has no other way to get it
	of     *Bucket
	key    string
	body   io.ReadCloser
	at     int64
	failed error // nil for the end
}

// Read implements io.Reader.
func (d *download) Read(p []byte) (n int, err error) {
	for attempt := 1; ; attempt++ {
		if d.body == nil {
			if err := d.open(); err != nil {
				d.failed = err
				return 0, err
			}
		}
		n, err = d.body.Read(p)
		d.at += int64(n)
		if err == nil || errors.Is(err, io.EOF) {
			return n, err
		}
		d.close()
		if n > 0 {
			return n, nil
		}
		if attempt == tries || d.ctx.Err() != nil {
			d.failed = err
			return 0, err
		}
	}
}

func (d *download) open() error {
	var options minio.GetObjectOptions
	if d.at > 0 {
		if err := options.SetRange(d.at, 0); err != nil {
			return err
		}
	}
	body, _, _, err := d.of.core.GetObject(d.ctx, d.of.bucket, d.key, options)
	if err == nil {
		d.body = body
	}
	return err
}

func (d *download) close() {
	if d.body != nil {
		_ = d.body.Close()
		d.body = nil
	}
}
