//! Pictures: known by their content, sent as they are or smaller.

use std::io::Cursor;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::{DynamicImage, ImageFormat, ImageReader, Limits};

/// How many pixels a side has at the most.
const SIDE_PX: u32 = 2_000;
/// How many bytes a picture has at the most, before base64: what the narrowest provider takes.
const SENT_BYTES: usize = 3_750_000;
/// How many pixels a side of a picture that is looked at has at the most.
const READ_SIDE_PX: u32 = 50_000;
/// How many bytes decoding may take.
const DECODED_BYTES: u64 = 512 << 20;

/// A picture that can be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Picture {
    /// What is sent, for example `image/png`.
    pub(crate) media_type: &'static str,
    /// What is sent, in standard base64.
    pub(crate) base64: String,
    /// The picture's own width and height.
    pub(crate) size: (u32, u32),
    /// The width and height of what is sent.
    pub(crate) sent: (u32, u32),
}

/// Takes bytes for a picture of a kind that models see; `None` when they are of no such kind, and what is wrong, as the
/// end of a sentence, when they are damaged.
pub(super) fn read(bytes: &[u8]) -> Option<Result<Picture, String>> {
    let format = image::guess_format(bytes).ok()?;
    let known = [
        ImageFormat::Png,
        ImageFormat::Jpeg,
        ImageFormat::Gif,
        ImageFormat::WebP,
    ];
    known
        .contains(&format)
        .then(|| picture(bytes, format).map_err(|err| err.to_string()))
}

fn picture(bytes: &[u8], format: ImageFormat) -> image::ImageResult<Picture> {
    let mut limits = Limits::default();
    limits.max_image_width = Some(READ_SIDE_PX);
    limits.max_image_height = Some(READ_SIDE_PX);
    limits.max_alloc = Some(DECODED_BYTES);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits);
    // All of it is decoded, so that a picture that is cut off is known.
    let decoded = reader.decode()?;
    let size = (decoded.width(), decoded.height());
    if size.0 <= SIDE_PX && size.1 <= SIDE_PX && bytes.len() <= SENT_BYTES {
        return Ok(Picture {
            media_type: format.to_mime_type(),
            base64: STANDARD.encode(bytes),
            size,
            sent: size,
        });
    }
    smaller(&decoded, format, size)
}

fn smaller(
    decoded: &DynamicImage,
    format: ImageFormat,
    size: (u32, u32),
) -> image::ImageResult<Picture> {
    let mut side = SIDE_PX.min(size.0.max(size.1));
    loop {
        let scaled = decoded.thumbnail(side, side);
        let (bytes, media_type) = encoded(&scaled, format)?;
        if bytes.len() <= SENT_BYTES || side <= 256 {
            return Ok(Picture {
                media_type,
                base64: STANDARD.encode(bytes),
                size,
                sent: (scaled.width(), scaled.height()),
            });
        }
        side = side * 3 / 4;
    }
}

/// As JPEG where it was one, else as PNG, which loses nothing.
fn encoded(
    scaled: &DynamicImage,
    format: ImageFormat,
) -> image::ImageResult<(Vec<u8>, &'static str)> {
    let to = match format {
        ImageFormat::Jpeg => ImageFormat::Jpeg,
        _ => ImageFormat::Png,
    };
    let mut bytes = Cursor::new(Vec::new());
    match to {
        ImageFormat::Jpeg => scaled.to_rgb8().write_to(&mut bytes, to)?,
        _ => scaled.write_to(&mut bytes, to)?,
    }
    Ok((bytes.into_inner(), to.to_mime_type()))
}

#[cfg(test)]
mod tests {
    use super::{SIDE_PX, read};
    use image::{DynamicImage, ImageFormat};
    use std::io::Cursor;

    fn bytes(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        let picture = DynamicImage::new_rgb8(width, height);
        picture.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    #[test]
    fn pictures_are_known_by_content_and_never_too_large() {
        let check = |width, height, format, sent, media_type| {
            let picture = read(&bytes(width, height, format)).unwrap().unwrap();
            assert_eq!((picture.size, picture.sent), ((width, height), sent));
            assert_eq!(picture.media_type, media_type);
        };
        check(3, 2, ImageFormat::Png, (3, 2), "image/png");
        check(3, 2, ImageFormat::Jpeg, (3, 2), "image/jpeg");
        check(3, 2, ImageFormat::Gif, (3, 2), "image/gif");
        check(3, 2, ImageFormat::WebP, (3, 2), "image/webp");
        check(4_000, 100, ImageFormat::Png, (SIDE_PX, 50), "image/png");
        check(2_500, 10, ImageFormat::Jpeg, (SIDE_PX, 8), "image/jpeg");
        check(2_500, 10, ImageFormat::WebP, (SIDE_PX, 8), "image/png");
    }

    #[test]
    fn what_is_damaged_or_no_picture_is_told() {
        let whole = bytes(30, 30, ImageFormat::Png);
        assert!(read(&whole[..whole.len() / 2]).unwrap().is_err());
        assert_eq!(read(b"<svg xmlns='x'/>"), None);
        assert_eq!(read(b"BM......"), None);
        assert_eq!(read(b""), None);
    }
}
