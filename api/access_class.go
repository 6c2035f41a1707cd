package api

// accessClass says whose key reaches which organization. A key of a root
// organization that names its own organization is in two classes.
type accessClass uint8

const (
	classSelf  accessClass = 1 << iota // any key, its own organization
	classRoot                          // a root organization's key, that root organization
	classChild                         // a root organization's key, one of its clients
)

const (
	classAny     = classSelf | classRoot | classChild // every authenticated caller
	classPartner = classRoot | classChild
	// classReader is for reading what an organization sells, owes and files: a partner reads it of its clients too, and
	// never writes for them.
	classReader = classSelf | classChild
)

// class is the access class in which the key reaches the organization of the header.
func (c *call) class() accessClass {
	switch {
	case c.principal.OrganizationID != c.scope.OrganizationID:
		return classChild
	case c.principal.IsRoot():
		return classRoot | classSelf
	default:
		return classSelf
	}
}
