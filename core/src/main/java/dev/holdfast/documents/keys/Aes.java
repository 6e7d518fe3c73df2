package dev.holdfast.documents.keys;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** AES-256-GCM: what is encrypted can neither be read nor changed without the key, nor used with other associated data. */
public final class Aes {
    /** Random with every use. */
    public static final int NONCE = 12;
    /** What encrypting adds behind the content. */
    public static final int TAG = 16;

    private static final SecureRandom RANDOM = new SecureRandom();

    private Aes() {}

    /** Random bytes nobody can guess. */
    public static byte[] random(int count) {
        byte[] bytes = new byte[count];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    /** Encrypts all of the content into {@code out}, from {@code at} on, where there is room for it and {@value #TAG} bytes more. */
    public static void encrypt(byte[] key, byte[] nonce, byte[] associated, byte[] content, byte[] out, int at) {
        try {
            cipher(Cipher.ENCRYPT_MODE, key, nonce, associated).doFinal(content, 0, content.length, out, at);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has AES-256-GCM", e);
        }
    }

    /**
     * Decrypts what begins at {@code from} and goes to the end.
     *
     * @throws WrongKeyException if anything of it is not what was encrypted
     */
    public static byte[] decrypt(byte[] key, byte[] nonce, byte[] associated, byte[] in, int from)
            throws WrongKeyException {
        if (in.length - from < TAG) {
            throw new WrongKeyException("it is too short", new AEADBadTagException());
        }
        try {
            byte[] content =
                    new byte[in.length - from - TAG]; // of its own: a second copy for the cipher would be one too many
            cipher(Cipher.DECRYPT_MODE, key, nonce, associated).doFinal(in, from, in.length - from, content, 0);
            return content;
        } catch (AEADBadTagException e) {
            throw new WrongKeyException("it is damaged, or was encrypted with another key", e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has AES-256-GCM", e);
        }
    }

    private static Cipher cipher(int mode, byte[] key, byte[] nonce, byte[] associated)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(8 * TAG, nonce));
        cipher.updateAAD(associated);
        return cipher;
    }
}
