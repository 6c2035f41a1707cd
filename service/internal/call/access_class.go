package call

// AccessClass is the relation between a caller's key and the organization of the request. A key
// of a root organization that names its own organization is in two classes.
type AccessClass uint8

const (
	ClassSelf  AccessClass = 1 << iota // any key, its own organization
	ClassRoot                          // a root organization's key, that root organization
	ClassChild                         // a root organization's key, one of its clients
)

const (
	ClassAny     = ClassSelf | ClassRoot | ClassChild // every authenticated caller
	ClassPartner = ClassRoot | ClassChild
	// ClassReader is for reading sales, liabilities and filings of an organization. A partner reads them for its clients
	// under any grant. An operation for ClassSelf alone needs a grant that includes its role.
	ClassReader = ClassSelf | ClassChild
)

// Class returns the access class in which the key reaches the organization of the header.
func (c *Call) Class() AccessClass {
	switch {
	case c.Principal.OrganizationID != c.Scope.OrganizationID:
		return ClassChild
	case c.Principal.IsRoot():
		return ClassRoot | ClassSelf
	default:
		return ClassSelf
	}
}
