package dev.holdfast.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("the URL of a bucket")
class BucketAddressTest {
    @Test
    @DisplayName("names bucket, prefix, server and region")
    void whole() {
        BucketAddress place = BucketAddress.of(
                "s3://my.bucket-1/team/locks?endpoint=http%3A%2F%2Flocalhost:9000&region=eu-central-1");
        assertThat(place)
                .isEqualTo(new BucketAddress(
                        "my.bucket-1",
                        "team/locks/",
                        Optional.of(URI.create("http://localhost:9000")),
                        Optional.of("eu-central-1")));
    }

    @Test
    @DisplayName("may leave out all but the bucket, and the locks are then not between other objects")
    void shortest() {
        assertThat(BucketAddress.of("S3://bucket")).isEqualTo(BucketAddress.of("bucket", "holdfast/"));
        assertThat(BucketAddress.of("s3://bucket/")).isEqualTo(BucketAddress.of("bucket", "holdfast/"));
    }

    @Test
    @DisplayName("means the root of the bucket only if it says so")
    void root() {
        assertThat(BucketAddress.of("s3://bucket/?prefix=").prefix()).isEmpty();
        assertThat(BucketAddress.of("s3://bucket?region=eu-central-1&prefix=").prefix())
                .isEmpty();
        assertThat(BucketAddress.of("s3://bucket?prefix=&region=eu-central-1").region())
                .contains("eu-central-1");
        assertThat(BucketAddress.of("s3://bucket/?prefix=a/b").prefix()).isEqualTo("a/b/");
        assertThat(BucketAddress.of("s3://bucket/?prefix=").shown()).isEqualTo("s3://bucket/");
    }

    @ParameterizedTest
    @CsvSource({
        "s3://B/locks, bucket 'B'",
        "s3://, bucket ''",
        "s3://bucket--x-s3/locks, directory bucket",
        "s3://bucket/../locks, prefix '../locks/'",
        "s3://bucket//locks, prefix '/locks/'",
        "s3://bucket/a b, prefix 'a b/'",
        "s3://bucket/a?prefix=b, parameter 'prefix'",
        "s3://bucket/a?endpoint=localhost:9000, endpoint 'localhost:9000'",
        "s3://bucket/a?region=Europe, region 'Europe'",
        "https://bucket/a, is not an S3 URL",
    })
    @DisplayName("that is malformed is refused, naming the part")
    void malformed(String url, String part) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BucketAddress.of(url))
                .withMessageContaining(part);
    }

    @Test
    @DisplayName("has no place for credentials, and does not repeat them")
    void credentials() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BucketAddress.of("s3://AKIA:hush@bucket/locks"))
                .withMessageContaining("AWS_ACCESS_KEY_ID")
                .withMessageNotContaining("hush");
    }
}
