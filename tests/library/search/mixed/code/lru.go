package cache

import "container/list"

// LRU drops the entry that was used longest ago once it holds more than max entries.
type LRU struct {
	max   int
	order *list.List
	items map[string]*list.Element
}

func (c *LRU) Get(key string) (any, bool) {
	if e, ok := c.items[key]; ok {
		c.order.MoveToFront(e)
		return e.Value, true
	}
	return nil, false
}
