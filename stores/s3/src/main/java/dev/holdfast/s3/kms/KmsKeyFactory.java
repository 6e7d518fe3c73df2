package dev.holdfast.s3.kms;

import dev.holdfast.documents.keys.MasterKey;
import dev.holdfast.documents.keys.MasterKeyFactory;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Opens {@code kms:ARN}, and {@code kms:ARN?endpoint=https://…} for another address than the region's. */
public final class KmsKeyFactory implements MasterKeyFactory {
    private static final String SCHEME = "kms:";
    private static final String EXAMPLE =
            "kms:arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab";
    /** The key itself: an alias can be turned to another key, and what is under the first would be lost. */
    private static final Pattern FORM =
            Pattern.compile("kms:(?<arn>arn:(?<partition>aws[a-z-]*):kms:(?<region>[a-z0-9-]{2,40}):"
                    + "[0-9]{12}:key/(?<key>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|mrk-[0-9a-f]{32}))"
                    + "(\\?endpoint=(?<endpoint>.+))?");

    @Override
    public boolean accepts(String source) {
        return source.startsWith(SCHEME);
    }

    @Override
    public String example() {
        return "kms:ARN";
    }

    @Override
    public MasterKey open(String source) {
        Matcher form = FORM.matcher(source);
        if (!form.matches()) {
            throw new IllegalArgumentException(
                    "A key of KMS is named by its ARN, not by an alias or its id alone, as in " + EXAMPLE);
        }
        String region = form.group("region");
        String domain = form.group("partition").equals("aws-cn") ? ".amazonaws.com.cn/" : ".amazonaws.com/";
        URI endpoint = Optional.ofNullable(form.group("endpoint"))
                .map(KmsKeyFactory::address)
                .orElseGet(() -> URI.create("https://kms." + region + domain));
        return new KmsKey("kms:" + form.group("key"), new KmsCalls(endpoint, region, form.group("arn")));
    }

    private static URI address(String text) {
        try {
            URI uri = new URI(URLDecoder.decode(text, StandardCharsets.UTF_8));
            if (String.valueOf(uri.getScheme()).matches("https?")
                    && uri.getHost() != null
                    && uri.getUserInfo() == null) {
                return uri.getPath().isEmpty() ? uri.resolve("/") : uri;
            }
        } catch (URISyntaxException | IllegalArgumentException e) {
            // told below
        }
        throw new IllegalArgumentException("endpoint of a key of KMS must be an address such as https://kms.internal");
    }
}
