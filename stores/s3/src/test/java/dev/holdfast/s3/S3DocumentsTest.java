package dev.holdfast.s3;

import dev.holdfast.testkit.documents.DocumentContract;
import dev.holdfast.testkit.documents.DocumentFixture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("documents in S3")
class S3DocumentsTest extends DocumentContract {
    @Override
    protected DocumentFixture fixture() {
        return new S3DocumentFixture();
    }
}
