"""Files and signature images."""

FILE_UPLOADED = "File uploaded successfully"
FILE_REMOVED = "File removed"
FILE_EMPTY = "The file is empty"
CONFIRM_DOCUMENT_REMOVAL = "Are you sure you want to remove the document from the requisition?"
SIGNATURE_TOO_BIG = "Only 10 MB files allowed."
SIGNATURE_TOO_MANY_PIXELS = "Only images of up to 12 million pixels allowed."
FILE_TOO_BIG = "Only 25 MB files allowed."
FILE_TOO_BIG_ADVICE = "Scan it again with a lower resolution, or split it."
SIGNATURE_FILE_UNUSED = "Choose another image, or draw your signature."
IMAGE_ONLY = "Only images allowed."
NO_FILE = "No file found."
DOCUMENT_KINDS_ONLY = "Only PDF, PNG, JPEG and TIFF files allowed."
DOCUMENT_KINDS_ADVICE = "Save the document as a PDF, and choose that file."
DOCUMENTS_TOO_MANY = "At most {max} documents are allowed"
DOCUMENT_ADDED_WHEN_SAVED = "Added when saved"
DOCUMENTS_NOT_UPLOADED = (
    "The requisition is saved, but a document could not be uploaded. Try again under Documents."
)
DOCUMENTS_WOULD_BE_LOST = (
    "The added documents are not uploaded yet. Do you want to continue and lose them?"
)
UPLOAD_FAILED = "There was an error uploading your file"
UPLOAD_NOT_SENT = "The portal could not be reached. Try again when you are connected."
UPLOAD_NOT_STORED = (
    "The portal could not store it. Try again in a minute. If it fails again, call the lab."
)
UPLOAD_NOT_READ = "It could not be read. Check that it still exists, and choose it again."
DOCUMENT_UNAVAILABLE = (
    "The document you are trying to open is not available now, please try again later."
)
DELETE_DOCUMENT_TITLE = "Delete Document"
CONFIRM_ORDER_DOCUMENT_REMOVAL = "Are you sure you want to remove the document from the order?"
DOCUMENT_OF_ANOTHER = "Only the person who uploaded the document, or the lab, can remove it"
