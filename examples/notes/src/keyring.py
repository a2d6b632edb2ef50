def rotate(keys, today):
    """Puts the newest signing key first and drops keys older than seven days."""
    fresh = [key for key in keys if (today - key.made).days <= 7]
    return sorted(fresh, key=lambda key: key.made, reverse=True)
