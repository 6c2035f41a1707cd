package tax

// ZIPsIn lists the ZIPs that lie in a state and in no other one, by the table of places.
func (c *Content) ZIPsIn(state string) (zips []int) {
	for zip := range numZIPs {
		first, end := c.places.ofZIP(zip)
		inside := first < end
		for row := first; row < end; row++ {
			inside = inside && c.states[c.places.rows[row].state].code == state
		}
		if inside {
			zips = append(zips, zip)
		}
	}
	return zips
}
