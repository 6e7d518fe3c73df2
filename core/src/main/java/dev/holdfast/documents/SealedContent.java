package dev.holdfast.documents;

import dev.holdfast.documents.keys.Aes;
import dev.holdfast.documents.keys.DataKey;
import dev.holdfast.documents.keys.MasterKey;
import dev.holdfast.documents.keys.WrongKeyException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An encrypted content, as it is stored:
 *
 * <pre>
 *   holdfast-sealed/1 \n          so that a person, and an older version, sees what it is
 *   u8  length, master key id     which key opens it
 *   u16 length, wrapped data key  the key of this content, under that one
 *   u8  count, {u16 length, name} the documents it may be the content of
 *   12 bytes nonce                random
 *   AES-256-GCM of the content    with all of the above as associated data
 * </pre>
 *
 * <p>The names are under the same seal: content that is moved to another document does not open there.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record SealedContent(String keyId, byte[] wrapped, List<String> names, byte[] nonce, int start) {
    /** Most documents one content is sealed for; a save writes two. */
    static final int MAX_NAMES = 4;

    private static final byte[] MAGIC = "holdfast-sealed/1\n".getBytes(StandardCharsets.US_ASCII);
    /** What every version begins with. */
    private static final byte[] FAMILY = "holdfast-sealed/".getBytes(StandardCharsets.US_ASCII);
    /** The most it adds to a content. */
    static final int MAX_OVERHEAD = MAGIC.length
            + 1
            + MasterKey.MAX_ID
            + 2
            + MasterKey.MAX_WRAPPED
            + 1
            + MAX_NAMES * (2 + DocumentNames.MAX_NAME)
            + Aes.NONCE
            + Aes.TAG;

    /** Whether it says so of itself; no JSON and no other format does. */
    static boolean isSealed(byte[] content) {
        return content.length >= FAMILY.length && Arrays.equals(content, 0, FAMILY.length, FAMILY, 0, FAMILY.length);
    }

    /** Encrypts a content for these documents. */
    static byte[] seal(String keyId, DataKey key, List<String> names, byte[] content) {
        byte[] nonce = Aes.random(Aes.NONCE);
        byte[] header = header(keyId, key.wrapped(), names, nonce);
        byte[] sealed = Arrays.copyOf(header, header.length + content.length + Aes.TAG);
        Aes.encrypt(key.plain(), nonce, header, content, sealed, header.length);
        return sealed;
    }

    private static byte[] header(String keyId, byte[] wrapped, List<String> names, byte[] nonce) {
        ByteBuffer header = ByteBuffer.allocate(MAX_OVERHEAD);
        header.put(MAGIC);
        header.put((byte) keyId.length()).put(keyId.getBytes(StandardCharsets.US_ASCII));
        header.putShort((short) wrapped.length).put(wrapped);
        header.put((byte) names.size());
        for (String name : names) {
            header.putShort((short) name.length()).put(name.getBytes(StandardCharsets.US_ASCII));
        }
        header.put(nonce);
        return Arrays.copyOf(header.array(), header.position());
    }

    /**
     * Reads what stands before the encrypted part; nothing of it is certain before that is opened.
     *
     * @throws WrongKeyException if it is no such content, or of a later version
     */
    static SealedContent read(byte[] sealed) throws WrongKeyException {
        if (sealed.length < MAGIC.length || !Arrays.equals(sealed, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new WrongKeyException(
                    "it is encrypted in a way this version does not know; use the version that wrote it",
                    new Exception());
        }
        try {
            ByteBuffer in = ByteBuffer.wrap(sealed).position(MAGIC.length);
            String keyId = text(in, Byte.toUnsignedInt(in.get()));
            byte[] wrapped = new byte[Short.toUnsignedInt(in.getShort())];
            in.get(wrapped);
            int count = Byte.toUnsignedInt(in.get());
            List<String> names = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                names.add(text(in, Short.toUnsignedInt(in.getShort())));
            }
            byte[] nonce = new byte[Aes.NONCE];
            in.get(nonce);
            return new SealedContent(keyId, wrapped, names, nonce, in.position());
        } catch (BufferUnderflowException e) {
            throw new WrongKeyException("it is cut short", e);
        }
    }

    private static String text(ByteBuffer in, int length) {
        byte[] bytes = new byte[length];
        in.get(bytes);
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    /** The content, if all of it is as it was sealed, and for this document. */
    byte[] open(MasterKey key, String name, byte[] sealed) throws WrongKeyException {
        byte[] content = Aes.decrypt(key.unwrap(wrapped), nonce, Arrays.copyOf(sealed, start), sealed, start);
        if (!names.contains(name)) {
            throw new WrongKeyException(
                    "it belongs to " + String.join(" and ", names) + ", and was moved here", new Exception());
        }
        return content;
    }
}
