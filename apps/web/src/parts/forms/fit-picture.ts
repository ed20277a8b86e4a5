/** The server keeps no larger picture, and phones' photos are larger. Some are too large for it to read. */
const SIDE_MAX = 2_560;
const TAKEN = ['image/jpeg', 'image/png', 'image/webp'];

/**
 * Returns the picture to send. It is scaled down to the server's size, and converted to JPEG if the server cannot read
 * its format. Returns null if this device cannot draw the file either.
 */
export async function fitPictureForUpload(file: Blob): Promise<Blob | null> {
  const url = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const scale = Math.min(1, SIDE_MAX / Math.max(width, height));
    if (scale === 1 && TAKEN.includes(file.type)) return file;
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    const context = canvas.getContext('2d');
    if (!context) return file;
    // JPEG has no transparency.
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.9));
  } catch {
    return null;
  } finally {
    URL.revokeObjectURL(url);
  }
}
