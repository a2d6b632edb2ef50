from math import asin, cos, radians, sin, sqrt


def haversine(lat1, lon1, lat2, lon2):
    """两点之间的球面距离，单位公里。"""
    a, b = radians(lat1), radians(lat2)
    h = sin((b - a) / 2) ** 2 + cos(a) * cos(b) * sin(radians(lon2 - lon1) / 2) ** 2
    return 2 * 6371 * asin(sqrt(h))
